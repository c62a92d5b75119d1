import CommandSupport
import GateCore
import GateModel

/// The cookies and grants that peers were given: each is valid only for its peer and its purpose, once, and not for
/// ever.
struct Possessions {
    private struct Given {
        let connection: UInt64
        let cookie: PresentationCookie
    }

    private struct GivenGrant {
        let connection: UInt64
        let grant: Grant
    }

    /// The newest cookie of each presentation.
    private var cookies: [UInt64: Given] = [:]
    private var grants: [Grant.Proof: GivenGrant] = [:]
    private var redeemed: Set<Grant.Proof> = []
    private var lost: (cookies: Set<UInt64>, grants: Set<Grant.Proof>) = ([], [])

    mutating func given(_ reply: Reply, to peer: Peer, at moment: BootTime) throws {
        switch reply {
        case .presentation(let presentation):
            try Self.checkShown(presentation, to: peer)
            cookies[presentation.id] = Given(connection: peer.connection, cookie: presentation.cookie)
        case .granted(let grant):
            grants[grant.proof] = GivenGrant(connection: peer.connection, grant: grant)
        case .done, .waiting, .redeemed, .count, .refused, .recovered, .entitled, .claimed, .form, .responded,
            .keptPart, .challenge, .obeyed, .sending, .answering,
            .whatsNew:
            break
        }
    }

    /// A backup came back: nothing that was given before is good any more, but cookies of these presentations. What came before is
    /// still to be answered.
    mutating func lose(allBut presentations: [UInt64]) {
        lost.cookies.formUnion(cookies.keys.filter { !presentations.contains($0) })
        lost.grants.formUnion(grants.keys)
    }

    /// Everything that came before the backup is answered.
    mutating func forgetLost() {
        for id in lost.cookies { cookies[id] = nil }
        for proof in lost.grants { grants[proof] = nil }
        lost = ([], [])
    }

    /// Presentations for grown-ups are shown to grown-ups only; a secret is asked for by them, or by the requester.
    private static func checkShown(_ presentation: Presentation, to peer: Peer) throws {
        guard let challenge = presentation.challenge, !peer.roles.contains(.grownUpPresenter) else { return }
        let asked = presentation.summary.asked
        let isAsk = RandomAsks.configuration.gatedActions[asked.gatedAction] != nil
        try hold(asked.gatedAction != "subscribe" && !isAsk, "a child was shown what is for grown-ups")
        try hold(!challenge.kind.isSecret || asked.pid == peer.pid, "a secret was asked for on another's screen")
    }

    /// Records that a command was not refused.
    mutating func used(by command: Command, of peer: Peer, at moment: BootTime, _ reply: Reply) throws {
        if let cookie = command.cookie {
            let given = cookies.values.first { $0.cookie == cookie }
            try hold(given != nil, "a cookie was taken that nobody was given, or that was replaced")
            try hold(given?.connection == peer.connection, "somebody else's cookie was taken")
        }
        guard case .authorization(.redeem(let proof, let gatedAction, let details)) = command,
            case .redeemed = reply
        else { return }
        let given = try hold(grants[proof], "a grant was taken that nobody was given")
        try hold(redeemed.insert(proof).inserted, "a grant was used twice")
        try hold(given.connection == peer.connection, "somebody else's grant was taken")
        try hold(
            given.grant.gatedAction == gatedAction && given.grant.details == details,
            "a grant was taken for something else")
        try hold(moment < given.grant.deadline, "a grant was taken after its end")
    }
}

extension Command {
    fileprivate var cookie: PresentationCookie? {
        switch self {
        case .presentations(let command):
            switch command {
            case .report(let cookie, _), .complete(let cookie, _), .dismiss(let cookie), .awaitClosing(let cookie):
                cookie
            case .register, .unregister, .claim, .secretChecked, .withdraw: nil
            }
        case .forms(let command):
            switch command {
            case .openForm(let target, _, _, _), .labelDraft(let target, _), .editForm(let target, _, _),
                .announceSuggestion(let target, _, _, _), .saveForm(let target), .loadForm(let target, _, _),
                .completeForm(let target, _), .discardForm(let target, _), .savePart(let target, _, _, _):
                target.cookie
            case .withdrawResponse, .labelPart, .removePart, .requestForm: nil
            }
        case .mode, .authorization, .secrets, .people, .age, .signIn, .entitlements, .releaseNotes, .household,
            .usage, .control, .daemon:
            nil
        }
    }
}
