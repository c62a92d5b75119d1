import GateModel
import Testing

@testable import gatectl

@Suite("Exit statuses")
struct ExitStatusTests {
    private static let statuses: [GateError.Code: Int32] = [
        .failedPrecondition: 1, .unauthenticated: 1, .aborted: 75, .cancelled: 3,
        .invalidArgument: 65, .notFound: 65, .unimplemented: 65, .alreadyExists: 65, .outOfRange: 65,
        .unavailable: 69, .internal: 69, .unknown: 69, .dataLoss: 69, .resourceExhausted: 75,
        .permissionDenied: 77, .deadlineExceeded: 124,
    ]

    @Test("each code has the status that docs/shell.md gives", arguments: GateError.Code.allCases)
    func codes(code: GateError.Code) {
        #expect(GateError(code, .unspecified, "").exitStatus == Self.statuses[code])
    }

    @Test("a check ends with 0 if it would be granted, 1 if it would not, and 2 if a person is needed")
    func outlooks() {
        let outcomes: [AuthorizationOutlook.Outcome] = [.granted, .denied, .personNeeded]
        #expect(outcomes.map(\.exitStatus) == [0, 1, 2])
    }

    @Test("a missing presenter and a mode other than parent mode have an exit status of their own among aborted calls")
    func noPresenter() {
        for reason in GateError.Reason.allCases {
            #expect(
                GateError(.aborted, reason, "").exitStatus == ([.noPresenter, .notParent].contains(reason) ? 2 : 75))
        }
    }

    @Test("a question that waits for a grown-up has an exit status of its own (W-02)")
    func asked() {
        #expect(GateError(.failedPrecondition, .asked, "").exitStatus == 4)
        #expect(GateError(.failedPrecondition, .refused, "").exitStatus == 1)
    }

    @Test("wrong policy files give status 65, whether gated or gatectl read them")
    func badPolicy() {
        for code in [GateError.Code.failedPrecondition, .invalidArgument] {
            #expect(GateError(code, .badPolicy, "").exitStatus == 65)
        }
    }

    @Test("waiting helps only for errors that nobody has to do anything about")
    func mendsItself() {
        let codes = GateError.Code.allCases.filter { GateError($0, .unspecified, "").mendsItself }
        #expect(codes == [.deadlineExceeded, .resourceExhausted, .aborted, .unavailable])
    }
}
