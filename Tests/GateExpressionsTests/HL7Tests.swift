import Foundation
import GateExpressions
import GateForms
import Testing

/// HL7's own test cases, which `make test-fhirpath` brings (Tests/Conformance/fhirpath): each that Gate's part of FHIRPath can say
/// has to come out as HL7 has it.
@Suite("HL7's test cases")
struct HL7Tests {
    private static let file = ProcessInfo.processInfo.environment["GATE_FHIRPATH_CASES"]

    /// Mistakes of the suite for R4, which its successor for R5 has mended.
    private static let mended = ["testPlusDate19": "@1973-12-25T00:00:00.100+10:00"]

    @Test(
        "every case within Gate's part of FHIRPath has the result that HL7 gives",
        .enabled(if: file != nil, "make test-fhirpath runs it"))
    func cases() throws {
        let path = try #require(Self.file)
        let suite = try HL7Suite(json: Array(try Data(contentsOf: URL(fileURLWithPath: path))))
        var (passed, outside): (Int, [String: Int]) = (0, [:])
        var failed: [String] = []
        for one in suite.cases {
            switch try suite.result(of: one, mended: Self.mended[one.name]) {
            case .passed: passed += 1
            case .outside(let why): outside[why, default: 0] += 1
            case .failed(let why): failed.append("\(one.name): \(one.expression) — \(why)")
            }
        }
        let total = suite.cases.count
        print(
            "HL7's test cases: \(passed) passed, \(failed.count) failed, \(outside.values.reduce(0, +)) outside, of \(total)"
        )
        for (why, count) in outside.sorted(by: { ($0.value, $1.key) > ($1.value, $0.key) }) {
            print("  \(count)  \(why)")
        }
        #expect(passed > 400)
        for one in failed { Issue.record("\(one)") }
    }
}
