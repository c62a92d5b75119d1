import ArgumentParser
import GateModel
import GateTexts

/// What gate-apps.service runs. It asks no daemon, so that it also works while the packages are being removed.
struct AppsApplyVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply",
        abstract: "Make the device match the list of guarded apps (root).",
        discussion: """
            gate-apps.service runs this whenever the list in /run/gated/apps changes, and after packages were installed. \
            It guards what is on the list, covers that again after an upgrade, and releases the rest. Without the \
            list it only covers again. What was before is in /var/lib/gate-apps; if it is interrupted, run it again.
            """,
        shouldDisplay: false)

    @Flag(help: "Release all apps, whatever the list says.")
    var none = false

    @Option(help: ArgumentHelp("A copy of a device, for tests.", visibility: .hidden))
    var root = ""

    @Option(help: ArgumentHelp("End after so many steps, for tests.", visibility: .hidden))
    var stopAfter: Int?

    func run() throws {
        let output = Output(isJSON: false)
        do throws(GateError) {
            try Session.requireRoot()
            let applying = AppsApplying(device: AppDevice(root: root), stepLimit: stopAfter)
            for (name, problem) in try applying.run(releasesAll: none) {
                output.note(VisibleText.line(ListText.pair(name, problem.sentence(name))))
            }
        } catch {
            output.report(error)
            throw ExitCode(error.exitStatus)
        }
    }
}
