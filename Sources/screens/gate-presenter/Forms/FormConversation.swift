import CGTK
import GateClient
import GateCore
import GateForms
import GateModel
import GateScreens
import GateWindows

/// The connection of a form with the daemon. It reads the draft after each change, of this screen and of others, and
/// sends the person's changes one after the other.
@GLibLoop
final class FormConversation: DocumentSource {
    enum News {
        /// The form can be begun in several ways, so the person chooses.
        case mayBegin(FormBeginnings)
        case opened(Questionnaire, FormStanding)
        /// The form could not be fetched. Fetching is tried again.
        case failed(GateError)
        case read(FormStanding, isOwn: Bool)
        case taken(FormPath, cleared: [FormPath])
        case refused(FormPath, GateError)
        /// The parts that the form's holder has kept, the oldest first.
        case partsListed([PartSummary])
        case partsTaken(leftOut: [FormPath])
        case partsRefused(GateError)
        case notCompleted(GateError)
    }

    private let gate: GateClient
    private let open: OpenPresentation
    /// The draft that is being filled in; `nil` if it is not chosen yet.
    private var draftID: UInt64?
    private let choices: AsyncStream<FormBeginning>
    private let choose: AsyncStream<FormBeginning>.Continuation
    private let told: @GLibLoop (News) -> Void
    private var session: FormSession?
    private var form: CompiledForm?
    private var following: Task<Void, Never>?
    /// The last call. Each call waits for the one before.
    private var last: Task<Void, Never>?
    private var callCount = 0

    init(_ gate: GateClient, _ open: OpenPresentation, _ told: @escaping @GLibLoop (News) -> Void) {
        (self.gate, self.open) = (gate, open)
        (choices, choose) = AsyncStream.makeStream()
        self.told = told
        following = Task { [weak self] in await self?.follow() }
    }

    func end() { following?.cancel() }

    /// Returns when the daemon has accepted or refused everything that the person did.
    func settled() async { await last?.value }

    private func follow() async {
        while !Task.isCancelled {
            do throws(GateError) {
                guard let session = try await opened() else { return }
                self.session = session
                draftID = session.draftID
                let form = CompiledForm(session.questionnaire)
                self.form = form
                told(.opened(session.questionnaire.limited(at: .now()), standing(session, form)))
                listParts()
                for await _ in session.updates { told(.read(standing(session, form), isOwn: callCount > 0)) }
                // If it was completed, the daemon closes the presentation. If it was discarded, the form begins anew.
                draftID = nil
                try? await GLibLoop.sleep(for: .seconds(1))
            } catch {
                if Task.isCancelled || error.code == .cancelled { return }
                if error.code == .notFound { draftID = nil }
                told(.failed(error))
                try? await GLibLoop.sleep(for: .seconds(1))
            }
        }
    }

    /// The session of the draft; `nil` if the presentation was closed. If the form can be begun in several ways, it
    /// waits until the person has chosen one. After a failure it opens the same draft again.
    private func opened() async throws(GateError) -> FormSession? {
        if let draftID { return try await open.form(draft: draftID) }
        guard let beginnings = try await gate.forms.beginnings(of: open) else { return try await open.form() }
        told(.mayBegin(beginnings))
        for await choice in choices { return try await open.form(choice) }
        return nil
    }

    /// The draft as it was last read, and the issues that it would have if it were completed. They are found here, with
    /// the rules of the daemon, because here each issue has its item.
    private func standing(_ session: FormSession, _ form: CompiledForm) -> FormStanding {
        let draft = session.draft
        var response = draft.response
        response.status = .completed
        return FormStanding(
            revision: draft.revision, response: draft.response,
            issues: ResponseValidator(form, now: .now()).issues(of: response), pending: draft.pending)
    }

    // MARK: Telling the daemon

    func carryOut(_ action: FormAction) {
        if case .begin(let beginning) = action {
            choose.yield(beginning)
            return
        }
        if action == .listParts { return listParts() }
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
            case .begin, .listParts: return
            case .set(let path, let values): took(path, try await session.set(path, to: values))
            case .attach(let path, let file):
                let change = try await session.attach(
                    path, bytes: file.bytes, mediaType: file.mediaType, title: file.name)
                took(path, change)
            case .remove(let path): took(path, try await session.remove(path))
            case .take(let path, let parts):
                told(.partsTaken(leftOut: try await session.take(parts, into: path).cleared))
            case .complete(let revision):
                try await session.complete(at: revision)
                return
            }
            told(.read(standing(session, form), isOwn: true))
        } catch {
            switch action {
            case .begin, .listParts: break
            case .set(let path, _), .attach(let path, _), .remove(let path):
                told(.read(standing(session, form), isOwn: false))
                told(.refused(path, error))
            case .take:
                told(.read(standing(session, form), isOwn: false))
                told(.partsRefused(error))
                // A part may have been removed meanwhile.
                listParts()
            case .complete:
                told(.read(standing(session, form), isOwn: false))
                told(.notCompleted(error))
            }
        }
    }

    private func took(_ path: FormPath, _ change: FormChange) {
        told(.taken(path, cleared: change.cleared))
    }

    /// Lists the parts that the holder has kept. Nothing waits for it, and if it fails, the known list remains.
    private func listParts() {
        guard let session, !session.questionnaire.definitions.isEmpty else { return }
        Task {
            if let parts = try? await session.ownParts() { told(.partsListed(parts)) }
        }
    }

    func bytes(_ digest: AttachmentDigest) async -> [UInt8]? { try? await session?.download(digest) }
}

@GLibLoop
protocol DocumentSource: AnyObject {
    func bytes(_ digest: AttachmentDigest) async -> [UInt8]?
}
