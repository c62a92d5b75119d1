import GateModel
import GateTexts
import Testing

@Suite("Words about the search for a payment (K-11)")
struct RestoreWordsTests {
    private let asked = WallTime(unixMilliseconds: 1_000_000)

    private func result(isReachable: Bool, lastReport milliseconds: Int64) -> String? {
        let since = WallTime(unixMilliseconds: 0)
        let last = WallTime(unixMilliseconds: asked.unixMilliseconds + milliseconds)
        return RestoreWords.result(
            ProviderHealth(isReachable: isReachable, detail: "", since: since, lastReport: last), askedAt: asked)
    }

    @Test("nothing is said until the store was asked; then it knows of no payment or can't be reached")
    func results() {
        for isReachable in [true, false] { #expect(result(isReachable: isReachable, lastReport: -1) == nil) }
        #expect(result(isReachable: true, lastReport: 0)?.contains("has no purchase") == true)
        #expect(result(isReachable: false, lastReport: 900)?.contains("can't be reached") == true)
    }
}
