import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import GateTexts

struct EntitlementsVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "entitlements",
        abstract: localized("Show what was paid for, and which store says so; submit, add and revoke claims."),
        discussion: """
            For example: gatectl entitlements
            And: gatectl entitlements add premium --account anna --until 2027-01-31
            """,
        subcommands: [
            EntitlementsListVerb.self, EntitlementsAddVerb.self, EntitlementsRevokeVerb.self,
            EntitlementsSubmitVerb.self, EntitlementsClaimsVerb.self, EntitlementsOffersVerb.self,
            EntitlementsReportOffersVerb.self,
        ], defaultSubcommand: EntitlementsListVerb.self)
}

struct EntitlementsListVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the policy's entitlements, their state, and which store says so.",
        discussion: "The list is for the device and the person who is signed in.")

    @OptionGroup var connection: ConnectionOptions

    func perform(_ session: Session) async throws(GateError) {
        let response = try await session.gate.call(Methods.Entitlements.get, GetEntitlementsRequest())
        guard !session.output.isJSON else { return session.output.line(try response.json()) }
        session.output.table(
            response.state.entitlements.map(EntitlementText.columns),
            orNone: localized("The policy names no entitlements."))
        for line in response.providers.compactMap(EntitlementText.line) { session.output.note(line) }
    }
}

struct EntitlementsClaimsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "claims", abstract: "List all claims of providers (administrators and providers).",
        discussion: "For example: gatectl entitlements claims. `revoke` takes the first two columns.")

    @OptionGroup var connection: ConnectionOptions

    func perform(_ session: Session) async throws(GateError) {
        let claims = try await session.gate.entitlements.claims()
        try await session.output.list(claims, as: ListClaimsResponse.self, orNone: localized("There are no purchases."))
        {
            EntitlementText.columns($0)
        }
    }
}

struct EntitlementsAddVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Unlock an entitlement by hand, until a date or without end (administrators).",
        discussion: """
            For example: gatectl entitlements add premium --account anna --until 2027-01-31
            Prints the name of the claim, for `revoke`.
            """)

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var holder: HolderOptions

    @Option(
        help: ArgumentHelp(
            "To the end of this day, or until this moment, like 2027-01-31T18:30:00Z; in UTC. Default: without end.",
            valueName: "date"),
        transform: WallTimeText.parse)
    var until: WallTime?

    @Argument(help: ArgumentHelp("Its name in the policy: premium.", valueName: "name"))
    var entitlement: String

    func perform(_ session: Session) async throws(GateError) {
        let holder = holder.holder ?? .device
        let response = try await session.gate.call(
            Methods.Entitlements.addClaim,
            AddClaimRequest(entitlement: entitlement, holder: holder, expiresAt: until))
        let given = localized(
            "{name} for {holder}, {end}",
            [
                "name": VisibleText.line(entitlement), "holder": EntitlementText.name(of: holder),
                "end": EntitlementText.end(until),
            ])
        try session.output.result(response, at: response.revision, "manual \(response.name)  \(given)")
    }
}

struct EntitlementsRevokeVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revoke a claim, whatever its provider says (administrators).",
        discussion: "For example: gatectl entitlements revoke manual 1. `gatectl entitlements claims` prints names.")

    @OptionGroup var connection: ConnectionOptions

    @Argument(help: "The provider.")
    var provider: ClaimProvider

    @Argument(help: "The provider's name of the claim.")
    var name: String

    func perform(_ session: Session) async throws(GateError) {
        let response = try await session.gate.call(
            Methods.Entitlements.revokeClaim, RevokeClaimRequest(claim: Claim.ID(provider, name)))
        try session.output.result(response, at: response.revision, localized("taken back"))
    }
}

struct EntitlementsSubmitVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "submit",
        abstract: "Submit a provider's signed statements to the daemon (administrators and providers).",
        discussion: """
            For example: gatectl entitlements submit transaction.jws --account anna

            A signed transaction, renewal info or server notification from StoreKit, or RevenueCat's customer info \
            as JSON with path, nonce, headers and body; gatectl recognises the kind. The daemon checks it as \
            `gatectl receipt check` does. Refused files are listed on standard error with the reason; the others \
            are accepted.
            """)

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var holder: HolderOptions

    @Option(help: ArgumentHelp("Submit only this provider's: storekit or revenuecat.", valueName: "provider"))
    var provider: ClaimProvider?

    @Argument(
        help: ArgumentHelp("The provider's statement; - is standard input.", valueName: "file"), completion: .file())
    var files: [String]

    func perform(_ session: Session) async throws(GateError) {
        try await session.eachFile(files, localized("Not everything was taken.")) { path throws(GateError) in
            try await submit(try ReceiptFile(path: path), session)
        }
    }

    private func submit(_ file: ReceiptFile, _ session: Session) async throws(GateError) {
        let (gate, kind) = (session.gate, try file.kind())
        guard provider == nil || provider == kind.provider else {
            throw GateError(
                .invalidArgument, .badReceipt,
                saying: localized(
                    "'{path}' is {provider}'s. Leave --provider out.",
                    ["path": file.path, "provider": kind.provider.rawValue]))
        }
        let holder = holder.holder
        switch kind {
        case .storeKit(.transaction):
            let request = SubmitSignedTransactionRequest(signedTransaction: file.text, holder: holder)
            let response = try await gate.call(Methods.Entitlements.submitSignedTransaction, request)
            try session.output.result(response, at: response.revision, localized("the transaction is taken"))
        case .storeKit(.renewal):
            try refuseHolder(of: file)
            let request = SubmitRenewalInfoRequest(signedRenewalInfo: file.text)
            let response = try await gate.call(Methods.Entitlements.submitRenewalInfo, request)
            try session.output.result(response, at: response.revision, localized("the renewal info is taken"))
        case .storeKit(.notification):
            let request = SubmitServerNotificationRequest(signedPayload: file.text, holder: holder)
            let response = try await gate.call(Methods.Entitlements.submitServerNotification, request)
            try session.output.result(response, at: response.revision, localized("the notification is taken"))
        case .customerInfo:
            try refuseHolder(of: file)
            let response = try await gate.call(
                Methods.Entitlements.submitCustomerInfo, try file.customerInfoRequest())
            try session.output.result(response, at: response.revision, localized("the customer info is taken"))
        }
    }

    /// Refuses --account and --device for files that say themselves whose they are.
    private func refuseHolder(of file: ReceiptFile) throws(GateError) {
        guard holder.holder == nil else {
            throw GateError(
                .invalidArgument, .invalidRequest,
                saying: localized(
                    "'{path}' says itself whose it is. Leave --account and --device out.", ["path": file.path]))
        }
    }
}
