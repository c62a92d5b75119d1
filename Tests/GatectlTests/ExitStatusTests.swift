import GateModel
import Testing

@testable import gatectl

@Suite("Exit statuses")
struct ExitStatusTests {
    @Test(
        "each code has the status that docs/shell.md gives",
        arguments: [
            (GateError.Code.failedPrecondition, Int32(1)), (.unauthenticated, 1), (.aborted, 75), (.cancelled, 3),
            (.invalidArgument, 65), (.notFound, 65), (.unimplemented, 65), (.alreadyExists, 65), (.outOfRange, 65),
            (.unavailable, 69), (.internal, 69), (.unknown, 69), (.dataLoss, 69), (.resourceExhausted, 75),
            (.permissionDenied, 77), (.deadlineExceeded, 124),
        ])
    func codes(code: GateError.Code, status: Int32) {
        #expect(GateError(code, .unspecified, "").exitStatus == status)
    }

    @Test("a missing presenter and a mode other than parent mode have an exit status of their own among aborted calls")
    func noPresenter() {
        for reason in GateError.Reason.allCases {
            #expect(
                GateError(.aborted, reason, "").exitStatus == ([.noPresenter, .notParent].contains(reason) ? 2 : 75))
        }
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
