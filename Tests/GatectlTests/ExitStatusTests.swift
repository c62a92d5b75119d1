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

    @Test("that nobody could be asked is told apart from everything else that is aborted")
    func noPresenter() {
        for reason in GateError.Reason.allCases {
            #expect(
                GateError(.aborted, reason, "").exitStatus == ([.noPresenter, .notParent].contains(reason) ? 2 : 75))
        }
    }

    @Test("files with mistakes are wrong data, whether gated or gatectl has read them")
    func badPolicy() {
        for code in [GateError.Code.failedPrecondition, .invalidArgument] {
            #expect(GateError(code, .badPolicy, "").exitStatus == 65)
        }
    }

    @Test("waiting helps only where nobody has to do anything")
    func mendsItself() {
        let codes = GateError.Code.allCases.filter { GateError($0, .unspecified, "").mendsItself }
        #expect(codes == [.deadlineExceeded, .resourceExhausted, .aborted, .unavailable])
    }
}
