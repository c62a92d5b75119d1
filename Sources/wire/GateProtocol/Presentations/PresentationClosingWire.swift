package import CGateProtocol
package import GateModel

// presentations.proto: waiting until the state closes a presentation, and withdrawing any presentation

extension Methods.Presentations {
    package static let awaitClosing = Method<AwaitClosingRequest, AwaitClosingResponse>(service, "AwaitClosing")
    package static let withdraw = Method<WithdrawRequest, WithdrawResponse>(service, "Withdraw")
}

package struct AwaitClosingRequest: MappedMessage {
    package var cookie: PresentationCookie

    package init(cookie: PresentationCookie) {
        self.cookie = cookie
    }

    init(reading message: Gate__V1__AwaitClosingRequest) {
        self.init(cookie: PresentationCookie(reading: message.cookie))
    }

    func write(to message: inout Gate__V1__AwaitClosingRequest, in arena: inout MessageArena) {
        message.cookie = arena.bytes(cookie.bytes)
    }
}

package struct AwaitClosingResponse: MappedMessage {
    package var revision: Revision
    package var state: ModeState
    package var result: CompleteResponse.Result

    package init(revision: Revision, state: ModeState, result: CompleteResponse.Result = .done) {
        self.revision = revision
        self.state = state
        self.result = result
    }

    init(reading message: Gate__V1__AwaitClosingResponse) throws(GateError) {
        self.init(
            revision: Revision(reading: message.revision), state: ModeState(reading: message.state),
            result: .unrecognized)
        if message.result_case == GATE__V1__AWAIT_CLOSING_RESPONSE__RESULT_NEXT, let next = message.next {
            result = .next(try Presentation(reading: next.pointee))
        } else if message.result_case == GATE__V1__AWAIT_CLOSING_RESPONSE__RESULT_GRANT, let grant = message.grant {
            result = .grant(Grant(reading: grant.pointee))
        } else if message.result_case == GATE__V1__AWAIT_CLOSING_RESPONSE__RESULT_DONE {
            result = .done
        }
    }

    func write(to message: inout Gate__V1__AwaitClosingResponse, in arena: inout MessageArena) {
        message.revision = arena.message(revision)
        message.state = arena.message(state)
        switch result {
        case .next(let presentation):
            message.result_case = GATE__V1__AWAIT_CLOSING_RESPONSE__RESULT_NEXT
            message.next = arena.message(presentation)
        case .grant(let grant):
            message.result_case = GATE__V1__AWAIT_CLOSING_RESPONSE__RESULT_GRANT
            message.grant = arena.message(grant)
        case .done:
            message.result_case = GATE__V1__AWAIT_CLOSING_RESPONSE__RESULT_DONE
            message.done = arena.blank()
        case .unrecognized:
            break
        }
    }
}

package struct WithdrawRequest: MappedMessage {
    package var id: UInt64

    package init(id: UInt64) {
        self.id = id
    }

    init(reading message: Gate__V1__WithdrawRequest) {
        self.init(id: message.id)
    }

    func write(to message: inout Gate__V1__WithdrawRequest, in arena: inout MessageArena) {
        message.id = id
    }
}

package typealias WithdrawResponse = RevisionReply<Gate__V1__WithdrawResponse>
extension Gate__V1__WithdrawResponse: CRevisionReply {}
