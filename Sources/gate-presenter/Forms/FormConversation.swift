import CGTK
import GateClient
import GateCore
import GateModel
import GateScreens
import GateWindows

/// A form's way to the daemon and back: its draft with each change of anybody, and what the person does, one after the
/// other.
@GLibLoop
final class FormConversation: DocumentSource {
    /// News from the daemon.
    enum News {
        case opened(Questionnaire, FormStanding)
        /// It could not be fetched, which is tried again.
        case failed(GateError)
        case read(FormStanding, isOwn: Bool)
        case taken(FormPath, cleared: [FormPath])
        case refused(FormPath, GateError)
        case notCompleted(GateError)
    }

    private let open: OpenPresentation
    private let told: @GLibLoop (News) -> Void
    private var session: FormSession?
    private var form: CompiledForm?
    private var following: Task<Void, Never>?
    /// The last call; each waits for the one before.
    private var last: Task<Void, Never>?
    private var callCount = 0

    init(_ open: OpenPresentation, _ told: @escaping @GLibLoop (News) -> Void) {
        self.open = open
        self.told = told
        following = Task { [weak self] in await self?.follow() }
    }

    func end() { following?.cancel() }

    /// Returns once everything that the person did has come to the daemon, or was refused.
    func settled() async { await last?.value }

    private func follow() async {
        while !Task.isCancelled {
            do throws(GateError) {
                let session = try await open.form()
                self.session = session
                let form = CompiledForm(session.questionnaire)
                self.form = form
                told(.opened(session.questionnaire, standing(session, form)))
                for await _ in session.updates { told(.read(standing(session, form), isOwn: callCount > 0)) }
                // Completed or thrown away: the state closes the presentation.
                return
            } catch {
                if Task.isCancelled || error.code == .cancelled { return }
                told(.failed(error))
                try? await GLibLoop.sleep(for: .seconds(1))
            }
        }
    }

    /// The draft as it was last read, and what would be wrong with it if it were completed: by the rules that the daemon
    /// completes it by, here, where each issue has its item.
    private func standing(_ session: FormSession, _ form: CompiledForm) -> FormStanding {
        let draft = session.draft
        var response = draft.response
        response.status = .completed
        return FormStanding(
            revision: draft.revision, response: draft.response,
            issues: ResponseValidator(form, now: .now()).issues(of: response))
    }

    // MARK: Telling the daemon

    func carryOut(_ action: FormAction) {
        let before = last
        callCount += 1
        last = Task {
            await before?.value
            await call(action)
            callCount -= 1
        }
    }

    private func call(_ action: FormAction) async {
        guard let session, let form else { return }
        do throws(GateError) {
            switch action {
            case .set(let path, let values): took(path, try await session.set(path, to: values))
            case .attach(let path, let file):
                let change = try await session.attach(
                    path, bytes: file.bytes, mediaType: file.mediaType, title: file.name)
                took(path, change)
            case .remove(let path): took(path, try await session.remove(path))
            case .complete(let revision):
                try await session.complete(at: revision)
                return
            }
            told(.read(standing(session, form), isOwn: true))
        } catch {
            switch action {
            case .set(let path, _), .attach(let path, _), .remove(let path):
                told(.read(standing(session, form), isOwn: false))
                told(.refused(path, error))
            case .complete:
                told(.read(standing(session, form), isOwn: false))
                told(.notCompleted(error))
            }
        }
    }

    private func took(_ path: FormPath, _ change: FormChange) {
        told(.taken(path, cleared: change.cleared))
    }

    func bytes(_ digest: AttachmentDigest) async -> [UInt8]? { try? await session?.download(digest) }
}

/// The source of a form's documents.
@GLibLoop
protocol DocumentSource: AnyObject {
    func bytes(_ digest: AttachmentDigest) async -> [UInt8]?
}
