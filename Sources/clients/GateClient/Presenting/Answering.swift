package import GateModel
import GateProtocol

// How an open presentation is shown, and what comes of it.

extension OpenPresentation {
    private enum Turn: Sendable {
        case answered(PresentationAnswer)
        case completed(Result<PresentationCompletion, GateError>)
        /// It is gone: the state has done what it was for, or it can no longer be answered.
        case closed(Result<PresentationCompletion, GateError>)
    }

    /// How often a question is shown whose answers are none. A `present` that never looks at the refusal must not go on
    /// for ever, and keep others from the screen.
    private static let maximumAttempts = 10

    /// Has it shown and answered, and what comes after it too.
    func answeredToTheEnd(by present: @escaping PresentationHandler) async throws(GateError) -> PresentationCompletion {
        var current = self
        while true {
            let response = try await current.answered(by: present)
            guard let next = response.next else { return response }
            current = next
        }
    }

    /// Has it shown and answered, as often as it takes to get an answer that is one. When this ends, `present` has too,
    /// and nothing is left open that nobody will answer.
    package func answered(by present: @escaping PresentationHandler) async throws(GateError) -> PresentationCompletion {
        do throws(GateError) {
            return try await untilAnswered(by: present).get()
        } catch {
            if mayLeaveOpen(error) {
                Task { _ = try? await dismiss() }
            }
            throw error
        }
    }

    private func untilAnswered(by present: @escaping PresentationHandler) async -> Result<
        PresentationCompletion, GateError
    > {
        await withTaskGroup(of: Turn.self) { group in
            defer { group.cancelAll() }
            var shown = self
            var attempts = 1
            var isAnswered = false
            var closing: GateError?
            group.addTask { .closed(await closedByState()) }
            group.addTask { .answered(await present(self)) }
            while let turn = await group.next() {
                switch turn {
                case .answered(.closedByState):
                    break
                case .answered(let answer):
                    if Task.isCancelled { return .failure(.cancelled) }
                    isAnswered = true
                    group.addTask { .completed(await completed(answer)) }
                case .closed(.success(let response)):
                    return .success(response)
                case .closed(.failure(let error)):
                    // The reply to an answer that is on its way says more than that the question is gone.
                    guard isAnswered else { return .failure(error) }
                    closing = error
                case .completed(.success(let response)):
                    return .success(response)
                case .completed(.failure(let error)):
                    guard await canBeAsked(after: error) else { return .failure(error) }
                    if Task.isCancelled { return .failure(.cancelled) }
                    if let closing { return .failure(closing) }
                    isAnswered = false
                    guard attempts < Self.maximumAttempts else {
                        // What only the state closes can't be given up.
                        guard error.reason == .notDismissible else { return .failure(error) }
                        continue
                    }
                    attempts += 1
                    shown.refusal = error
                    group.addTask { [shown] in .answered(await present(shown)) }
                }
            }
            return .failure(.cancelled)
        }
    }

    private func completed(_ answer: PresentationAnswer) async -> Result<PresentationCompletion, GateError> {
        do throws(GateError) {
            switch answer {
            case .answer(let answer):
                return .success(try await complete(answer))
            case .dismiss:
                try await dismiss()
                return .failure(GateError(.cancelled, .dismissed, dismissal))
            case .closedByState:
                preconditionFailure("that is nothing to tell the daemon")
            }
        } catch {
            return .failure(error)
        }
    }

    /// In words.
    private var dismissal: String {
        switch content {
        case .challenge: "The question was dismissed."
        case .signIn: "The sign-in was dismissed."
        case .paywall: "The paywall was dismissed."
        case .form: "The form was dismissed."
        case .whatsNew: "The news was dismissed."
        case .unrecognized: "This version can't show it, so it was dismissed."
        }
    }

    /// Returns when it is gone. Only what this program asked for itself brings something with it.
    private func closedByState() async -> Result<PresentationCompletion, GateError> {
        guard isClosedByState, origin == .requested else { return .failure(await waitUntilClosed()) }
        do throws(GateError) {
            return .success(try await awaitClosing())
        } catch {
            return .failure(error)
        }
    }

    /// Whether there is sense in showing the question once more.
    private func canBeAsked(after error: GateError) async -> Bool {
        guard error.leavesQuestionOpen else { return false }
        // The daemon says so where an answer could not be checked; a lost connection looks the same, and took the question
        // with it.
        guard error.code == .unavailable else { return true }
        return (try? await reachDaemon()) != nil
    }

    /// Whether the question may still be open after an error, though nobody will answer it any more. To dismiss one that is
    /// closed does no harm.
    private func mayLeaveOpen(_ error: GateError) -> Bool {
        switch error.code {
        case .invalidArgument, .unavailable: true
        // What a presenter gives up is not dismissed: the next presenter gets it.
        case .cancelled: error.reason != .dismissed && origin == .requested
        // The daemon did not answer, as opposed to the person.
        case .deadlineExceeded: error.reason != .expired
        // Over a limit of calls that wait, as opposed to what was asked.
        case .resourceExhausted: isClosedByState && origin == .requested
        case .unknown, .notFound, .alreadyExists, .permissionDenied, .failedPrecondition, .aborted,
            .outOfRange, .unimplemented, .internal, .dataLoss, .unauthenticated:
            false
        }
    }
}
