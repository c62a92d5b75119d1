import ArgumentParser
import GateClient
import GateModel
import GateTexts

struct AppsVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apps",
        abstract: localized("List the installed apps, and guard one so that a child can start it only through Gate."),
        discussion: localized(
            """
            For example: sudo gatectl apps guard supertux2
            And: sudo gatectl apps guard supertux2 --allowance games
            And: sudo gatectl apps release supertux2
            """),
        subcommands: [
            AppsListVerb.self, AppsGuardVerb.self, AppsReleaseVerb.self, AppsRunVerb.self, AppsApplyVerb.self,
        ],
        defaultSubcommand: AppsListVerb.self)
}

struct AppsListVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: localized("List the apps of this device."),
        discussion: localized(
            """
            For each app, this prints its name, its title, what it requires, and how well it is guarded: by the kernel \
            alone, or only until a child who was allowed to start it copies it, and why. For an app that is not \
            guarded, it says how well it could be. With --json, one object per line.
            """))

    @OptionGroup var connection: ConnectionOptions

    @Option(help: ArgumentHelp("A copy of a device, for tests; no daemon is asked.", visibility: .hidden))
    var root = ""

    @Flag(help: ArgumentHelp("As with --json, in the language of the person who reads it.", visibility: .hidden))
    var forWindow = false

    func perform(_ session: Session) async throws(GateError) {
        let rules = root.isEmpty ? try await session.appRules() : [:]
        let apps = try AppListing(AppDevice(root: root), rules: rules).all()
        if session.output.isJSON || forWindow {
            for app in apps { session.output.json(app.json) }
        } else {
            session.output.table(
                apps.map { $0.columns(visible: VisibleText.line) }, orNone: localized("There are no apps."))
        }
    }
}

extension Session {
    /// What stands before each app of the policy, by the app's name.
    func appRules() async throws(GateError) -> [String: GateRule] {
        var rules: [String: GateRule] = [:]
        for action in try await gate.authorization.gatedActions() {
            guard let name = AppName.ofAction(action.name) else { continue }
            rules[name] = try await gate.authorization.rule(of: action)
        }
        return rules
    }
}
