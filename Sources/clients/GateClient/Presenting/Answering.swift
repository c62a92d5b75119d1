package import GateModel

// Showing an open presentation until it is answered or closed.

extension OpenPresentation {
    private enum Turn: Sendable {
        case answered(PresentationAnswer)
        case completed(Result<PresentationCompletion, GateError>)
        /// The presentation is closed: the state has fulfilled its purpose, or it can no longer be answered.
        case closed(Result<PresentationCompletion, GateError>)
    }

    /// How often a question is shown while its answers are invalid. Without a limit, a `present` that never looks at
    /// the refusal would go on for ever, and keep other presentations off the screen.
    private static let maximumAttempts = 10

    /// Shows the presentation, and each one that follows from its answer, until there is no further one.
    func answeredToTheEnd(by present: @escaping PresentationHandler) async throws(GateError) -> PresentationCompletion {
        var current = self
        while true {
            let response = try await current.answered(by: present)
            guard let next = response.next else { return response }
            current = next
        }
    }

    /// Shows the presentation until it gets a valid answer, or is closed. When this returns, `present` has returned
    /// too. If it throws while the question may still be open, the question is then dismissed in the background; but a
    /// presenter that is cancelled leaves it to the next presenter.
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
                    // The reply to an answer that is under way says more than that the question is closed.
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
                        // Only the state closes this one, so wait for that instead of giving up.
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

    private var dismissal: String {
        switch content {
        case .challenge: "The question was dismissed."
        case .signIn: "The sign-in was dismissed."
        case .paywall: "The paywall was dismissed."
        case .form: "The form was dismissed."
        case .whatsNew: "The news was dismissed."
        case .unrecognized:
            "This version can't show it, so it was dismissed. Install the same version of Gate everywhere."
        }
    }

    /// Returns when the presentation is closed: a success only if this program requested it and it has its result.
    private func closedByState() async -> Result<PresentationCompletion, GateError> {
        guard isClosedByState, origin == .requested else { return .failure(await waitUntilClosed()) }
        do throws(GateError) {
            return .success(try await awaitClosing())
        } catch {
            return .failure(error)
        }
    }

    /// Whether it makes sense to show the question once more.
    private func canBeAsked(after error: GateError) async -> Bool {
        guard error.leavesQuestionOpen else { return false }
        // With this code, the daemon could not check the answer, or the connection was lost and the question with it.
        guard error.code == .unavailable else { return true }
        return (try? await reachDaemon()) != nil
    }

    /// Whether the question may still be open, so that it is to be dismissed. If it is closed, that does no harm.
    private func mayLeaveOpen(_ error: GateError) -> Bool {
        switch error.code {
        case .invalidArgument, .unavailable: true
        // A presenter that is cancelled does not dismiss: the next presenter gets the presentation.
        case .cancelled: error.reason != .dismissed && origin == .requested
        // The daemon did not reply in time. With `expired` it was the person who did not, and the question is closed.
        case .deadlineExceeded: error.reason != .expired
        // No more guesses are taken for a while, or too many calls wait. The presentation is still open.
        case .resourceExhausted: error.leavesQuestionOpen || isClosedByState && origin == .requested
        case .unknown, .notFound, .alreadyExists, .permissionDenied, .failedPrecondition, .aborted,
            .outOfRange, .unimplemented, .internal, .dataLoss, .unauthenticated:
            false
        }
    }
}
