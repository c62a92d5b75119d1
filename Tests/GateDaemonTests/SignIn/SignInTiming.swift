import Foundation
import GateModel
import GateProtocol
import Testing

@testable import GateDaemon

/// Measures whether the time of a log-in tells if there is such an account: GATE_SIGN_IN_ATTEMPTS=200 swift test --filter
/// SignInTiming. It prints what it finds, and judges nothing: what a machine under load measures is no reason to fail.
@Suite("The time of a log-in")
struct SignInTiming {
    private static let attempts = ProcessInfo.processInfo.environment["GATE_SIGN_IN_ATTEMPTS"].flatMap { Int($0) }

    private struct Case {
        let title: String
        let name: String
        let password: String
        var milliseconds: [Double] = []

        var median: Double { milliseconds.sorted()[milliseconds.count / 2] }

        func percentile(_ part: Double) -> Double {
            milliseconds.sorted()[min(milliseconds.count - 1, Int(part * Double(milliseconds.count)))]
        }
    }

    @Test("an unknown user takes as long as a wrong password", .enabled(if: attempts != nil))
    func measured() async throws {
        let attempts = try #require(Self.attempts)
        try await LiveGate.with(policy: LiveGate.signInPolicy) { gate, _ in
            let (root, anna) = (try await gate.connect("root"), try await gate.connect("anna"))
            try await root.register("Anna", "open sesame")
            var cases = [
                Case(title: "wrong password", name: "Anna", password: "open barley"),
                Case(title: "unknown user", name: "Nobody", password: "open barley"),
                Case(title: "wrong, too long", name: "Anna", password: String(repeating: "x", count: 200)),
            ]
            let clock = ContinuousClock()
            for round in 0..<attempts + 5 {
                for index in cases.indices.shuffled() {
                    // Otherwise the third would be locked out.
                    _ = try await root.call(
                        Methods.Authorization.clearLockout, ClearLockoutRequest(uid: nil, gate: ""))
                    let began = clock.now
                    let refusal = await anna.refusalToLogIn(cases[index].name, cases[index].password)
                    let took = began.duration(to: clock.now)
                    #expect(refusal?.reason == .wrongPassword)
                    if round >= 5 { cases[index].milliseconds.append(Double(took.clampedNanoseconds) / 1e6) }
                }
            }
            for one in cases {
                print(
                    "\(one.title): median \(one.median) ms, 10 % \(one.percentile(0.1)), 90 % \(one.percentile(0.9)), "
                        + "\(one.milliseconds.count) attempts")
            }
            for other in cases.dropFirst() {
                print(
                    "of two, one \(cases[0].title), one \(other.title): the first took longer in "
                        + "\(100 * Self.probability(cases[0].milliseconds, over: other.milliseconds)) %; they overlap by "
                        + "\(100 * Self.overlap(cases[0].milliseconds, other.milliseconds)) %")
            }
        }
    }

    /// What the histograms of the two have in common, in ten classes of which each holds as many of both together.
    private static func overlap(_ first: [Double], _ second: [Double]) -> Double {
        let all = (first + second).sorted()
        let bounds = (1..<10).map { all[$0 * all.count / 10] }
        func parts(_ values: [Double]) -> [Double] {
            var parts = [Double](repeating: 0, count: 10)
            for value in values { parts[bounds.count { $0 <= value }] += 1 / Double(values.count) }
            return parts
        }
        return zip(parts(first), parts(second)).reduce(0) { $0 + min($1.0, $1.1) }
    }

    /// Of all pairs, in how many the first is larger: a half where the two can't be told apart.
    private static func probability(_ first: [Double], over second: [Double]) -> Double {
        let larger = first.reduce(0) { sum, value in sum + second.count { $0 < value } }
        return Double(larger) / Double(first.count * second.count)
    }
}
