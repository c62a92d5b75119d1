import GateModel
import GateProtocol
import Testing

@testable import gatectl

/// An installation that is in order.
private let healthy: InstallationFacts = {
    var facts = ground
    facts.stateDirectory = .there(kind: .directory, owner: 990, permissions: 0o700)
    facts.roomBytes = 1 << 30
    facts.now = WallTime(unixMilliseconds: 1_800_000_000_000)
    facts.newestEntry = WallTime(unixMilliseconds: 1_799_999_999_000)
    facts.presenterCount = 1
    return facts
}()

private let ground = InstallationFacts(
    socketPath: "/run/gated/gate.sock", isDefaultSocket: true,
    socket: .there(kind: .socket, owner: 990, permissions: 0o666), directoryPath: "/run/gated",
    directory: .there(kind: .directory, owner: 990, permissions: 0o755), serverUser: "gate", serverUserID: 990,
    ownUserID: 1000, hasAdministratorGroup: true, units: [("gated.socket", true), ("gated.service", true)],
    locksBeforeSleep: true, configDirectory: "/etc/gate",
    policy: .valid(files: ["/etc/gate/policy.yaml"], asksForSecret: true), secrets: .success([.passcode]),
    ownVersion: "0.1.0", daemonVersion: .success("0.1.0"), statistics: .success("5 changes"), damage: .success(nil))

private func policy(needing needs: InstallationFacts.Needs) -> InstallationFacts.PolicyFiles {
    .valid(files: ["/etc/gate/policy.yaml"], asksForSecret: true, needs: needs)
}

private func failures(_ change: (inout InstallationFacts) -> Void) -> [Finding] {
    var facts = healthy
    change(&facts)
    return facts.findings.filter(\.isFailure)
}

@Suite("Findings of gatectl doctor")
struct DoctorTests {
    @Test("an installation in order has no failure")
    func inOrder() {
        #expect(failures { _ in }.isEmpty)
        #expect(healthy.findings.allSatisfy { $0.verdict == .ok })
    }

    @Test("in a sandbox it looks for gate-portal and for nothing else")
    func sandbox() {
        var facts = healthy
        facts.isInSandbox = true
        facts.serverUserID = nil
        facts.directory = .missing
        #expect(facts.findings.map(\.subject) == ["sandbox", "daemon", "version"])
        #expect(facts.findings.allSatisfy { $0.verdict == .ok })
        facts.socket = .missing
        facts.daemonVersion = .failure(GateError(.unavailable, .unspecified, "Add it."))
        guard case .failed(let mend) = facts.findings[0].verdict else {
            Issue.record("a missing socket is no fault")
            return
        }
        #expect(mend.contains("--filesystem=xdg-run/gate:ro") && mend.contains("gate-portal"))
    }

    @Test("each fault is found by itself, with its remedy")
    func findings() {
        let unreachable = GateError(.unavailable, .unspecified, "Start it.")
        let cases: [(subject: String, mend: String, change: (inout InstallationFacts) -> Void)] = [
            (
                "user", "systemd-sysusers",
                {
                    $0.serverUserID = nil; $0.directory = .there(kind: .directory, owner: 0, permissions: 0o755)
                }
            ),
            ("group", "groupadd", { $0.hasAdministratorGroup = false }),
            ("gated.socket", "systemctl enable", { $0.units = [("gated.socket", false)] }),
            ("directory", "tmpfiles", { $0.directory = .missing }),
            ("directory", "chmod a+rx", { $0.directory = .unreadable("no") }),
            ("directory", "chown gate", { $0.directory = .there(kind: .directory, owner: 1000, permissions: 0o755) }),
            ("directory", "chmod go-w", { $0.directory = .there(kind: .directory, owner: 0, permissions: 0o777) }),
            ("socket", "gated.socket", { $0.socket = .missing }),
            ("socket", "chmod a+rx", { $0.socket = .unreadable("no") }),
            ("socket", "chmod a+rw", { $0.socket = .there(kind: .socket, owner: 990, permissions: 0o600) }),
            ("socket", "Remove it", { $0.socket = .there(kind: .other, owner: 990, permissions: 0o666) }),
            ("daemon", "Start it.", { $0.daemonVersion = .failure(unreachable) }),
            ("version", "one build", { $0.daemonVersion = .success("0.0.9") }),
            ("store", "gatectl recover", { $0.damage = .success("/var/lib/gated/gate.sqlite.damaged") }),
            ("store", "Start it.", { $0.statistics = .failure(unreachable) }),
            ("gate-lock.service", "systemctl enable gate-lock", { $0.locksBeforeSleep = false }),
            ("policy", "policy.yaml:3:1: No. Until", { $0.policy = .wrong(first: "policy.yaml:3:1: No.", count: 2) }),
            ("secrets", "gatectl setup", { $0.secrets = .success([]) }),
            ("state", "chown -R gate", { $0.stateDirectory = .there(kind: .directory, owner: 0, permissions: 0o700) }),
            ("state", "chmod go-w", { $0.stateDirectory = .there(kind: .directory, owner: 990, permissions: 0o770) }),
            ("state", "Remove it", { $0.stateDirectory = .there(kind: .other, owner: 990, permissions: 0o600) }),
            ("state", "Make room", { $0.roomBytes = 3 << 20 }),
            ("page", "restart gated", { $0.page = .closed("There is no page.") }),
            (
                "clock", "set-ntp",
                {
                    $0.now = WallTime(unixMilliseconds: 1_000_000_000_000); $0.newestEntry = nil
                }
            ),
            ("clock", "set-ntp", { $0.now = WallTime(unixMilliseconds: 1_799_000_000_000) }),
            ("roles", "groupadd", { $0.policy = policy(needing: .init(unknownGroups: ["parents"])) }),
            ("presenter", "grown-up-presenter", { $0.policy = policy(needing: .init(gatesOfGrownUps: ["mode"])) }),
            (
                "presenter", "`gatectl present` as mia",
                {
                    $0.policy = policy(needing: .init(gatesOfGrownUps: ["mode"], grownUpPresenters: ["mia"]))
                    $0.presenterCount = 0
                }
            ),
            (
                "secrets", "gatectl setup",
                {
                    $0.policy = .missing; $0.secrets = .success([])
                }
            ),
        ]
        for (subject, mend, change) in cases {
            let found = failures(change)
            #expect(found.map(\.subject) == [subject])
            guard case .failed(let said) = found.first?.verdict else { continue }
            #expect(said.contains(mend))
            // The same for the user who asks, for root, and where the daemon is the user's own.
            let commands = said.matches(of: /`([^`]+)`/).map { String($0.1) }
            for command in commands where !Self.isForEverybody(command) {
                #expect(command.hasPrefix("sudo "), "\(subject): \(command)")
            }
            let root = failures {
                change(&$0); $0.ownUserID = 0
            }
            guard subject != "socket", case .failed(let toRoot) = root.first?.verdict else { continue }
            #expect(toRoot == said.replacing("sudo ", with: ""))
        }
    }

    /// Whether the text is a command that needs no root, or no command at all.
    private static func isForEverybody(_ text: String) -> Bool {
        ["systemctl status", "df ", "gatectl present", "roles:"].contains { text.hasPrefix($0) }
    }

    @Test("a device that covers its screen but has no account is found; others need no account")
    func accounts() {
        let needed = InstallationFacts.PolicyFiles.valid(
            files: ["policy.yaml"], asksForSecret: true, needs: .init(signIn: true))
        let found = failures { $0.policy = needed }
        #expect(found.map(\.subject) == ["accounts"] && found[0].line.contains("gatectl register"))
        #expect(
            failures {
                $0.policy = needed
                $0.accountCount = .success(1)
            }.isEmpty)
        #expect(
            failures {
                $0.policy = needed
                $0.accountCount = .failure(GateError(.permissionDenied, .notPermitted, "No."))
            }.isEmpty)
        #expect(failures { $0.accountCount = .success(0) }.isEmpty)
    }

    @Test("a policy that needs RevenueCat is a failure if gate-revenuecat is stopped or gets no answer")
    func providers() {
        let needed = InstallationFacts.PolicyFiles.valid(
            files: ["policy.yaml"], asksForSecret: true, needs: .init(revenueCat: true))
        let stopped = failures {
            $0.policy = needed
            $0.asksRevenueCat = false
        }
        #expect(stopped.map(\.subject) == ["gate-revenuecat.service"])
        #expect(failures { $0.asksRevenueCat = false }.isEmpty)
        let unheard = failures { $0.unreachableProviders = .success(["revenuecat can't be heard"]) }
        #expect(unheard.map(\.found) == ["revenuecat can't be heard"])
    }

    @Test("where the service that asks RevenueCat is not installed, its package is named")
    func providersPackage() {
        let missing = failures {
            $0.policy = policy(needing: .init(revenueCat: true))
            $0.asksRevenueCat = false
            $0.hasRevenueCatUnit = false
        }
        #expect(missing.map(\.subject) == ["gate-revenuecat.service"])
        #expect(missing.first?.line.contains("`sudo apt install gate-revenuecat`") == true)
        let none = failures {
            $0.asksRevenueCat = false
            $0.hasRevenueCatUnit = false
        }
        #expect(none.isEmpty, "nobody needs it")
    }

    @Test("a missing presenter is reported but is no failure if none is needed")
    func noPresenter() {
        var facts = healthy
        facts.presenterCount = 0
        #expect(facts.findings.filter(\.isFailure).isEmpty)
        #expect(facts.findings.first { $0.subject == "presenter" }?.verdict == .unknown)
    }

    @Test("for a daemon that does not answer, its last words are shown")
    func lastWords() {
        let found = failures {
            $0.daemonVersion = .failure(GateError(.unavailable, .unspecified, "Start it."))
            $0.lastWords = "written by a newer version of Gate"
        }
        #expect(found.map(\.subject) == ["daemon"])
        #expect(found.first?.found.contains("written by a newer version of Gate") == true)
    }

    @Test("for a wrong policy the remedy says that gated keeps its old one if it runs, and does not start otherwise")
    func wrongPolicy() {
        let wrong = InstallationFacts.PolicyFiles.wrong(first: "policy.yaml:3:1: No.", count: 1)
        func mends(_ change: (inout InstallationFacts) -> Void) -> [String] {
            failures(change).compactMap { finding in
                guard finding.subject == "policy", case .failed(let mend) = finding.verdict else { return nil }
                return mend
            }
        }
        #expect(mends { $0.policy = wrong }.map { $0.contains("the previous policy stays in force") } == [true])
        let down = mends {
            $0.policy = wrong
            $0.daemonVersion = .failure(GateError(.unavailable, .unspecified, "Start it."))
        }
        #expect(down.map { $0.contains("gated does not start") } == [true])
    }

    @Test("a clock that a time server set back by seconds is in order")
    func clock() {
        #expect(failures { $0.now = WallTime(unixMilliseconds: 1_799_999_990_000) }.isEmpty)
    }

    @Test("a sticky directory that everybody can write to is in order, because the socket can't be replaced in it")
    func sticky() {
        #expect(failures { $0.directory = .there(kind: .directory, owner: 0, permissions: 0o1777) }.isEmpty)
    }

    @Test("what only administrators can see is unknown to others, and no failure")
    func notPermitted() {
        var facts = healthy
        facts.statistics = .failure(GateError(.permissionDenied, .notPermitted, "No."))
        #expect(facts.findings.filter(\.isFailure).isEmpty)
        #expect(facts.findings.first { $0.subject == "store" }?.verdict == .unknown)
    }

    @Test("a private run needs no units and no users of an installation")
    func privateRun() {
        let found = failures {
            $0.isDefaultSocket = false
            $0.units = [("gated.socket", false)]
            $0.serverUserID = nil
            $0.directory = .there(kind: .directory, owner: 0, permissions: 0o755)
            $0.hasAdministratorGroup = false
            $0.locksBeforeSleep = false
            $0.secrets = .success([])
        }
        #expect(found.isEmpty)
    }

    @Test("a device whose mode asks for no secret needs none")
    func noSecret() {
        let found = failures {
            $0.policy = .valid(files: ["/etc/gate/policy.yaml"], asksForSecret: false)
            $0.secrets = .success([])
        }
        #expect(found.isEmpty)
    }

    @Test("missing policy files are no failure, and the finding says what that means")
    func noPolicy() {
        var facts = healthy
        facts.policy = .missing
        #expect(facts.findings.allSatisfy { !$0.isFailure })
        #expect(facts.findings.contains { $0.found.contains("every gated action is denied") })
    }

    @Test("a finding is a line for people and an object in JSON")
    func lines() {
        let fine = Finding(subject: "user", found: "there", verdict: .ok)
        #expect(fine.line == "ok    user: there")
        #expect(fine.json == #"{"check":"user","found":"there","verdict":"ok"}"#)
        let wrong = Finding(subject: "user", found: "gone", verdict: .failed(mend: "Make it."))
        #expect(wrong.line == "FAIL  user: gone\n      Make it.")
        #expect(wrong.json == #"{"check":"user","found":"gone","verdict":"fail","mend":"Make it."}"#)
    }

    @Test(
        "a user whose windows show nothing is told why, which is no failure, and no child is advised to present (S-01, U-06)"
    )
    func windows() throws {
        #expect(!healthy.findings.contains { $0.subject == "windows" })
        var facts = healthy
        facts.windows = .started(user: "anna")
        #expect(facts.findings.first { $0.subject == "windows" }?.verdict == .ok)
        facts.windows = .notPermitted(user: "anna")
        let finding = try #require(facts.findings.first { $0.subject == "windows" })
        #expect(finding.verdict == .unknown)
        #expect(finding.found.contains("`sudo gatectl people set anna --child`, or --grown-up"))
        #expect(!finding.found.contains("adduser"))
        facts.windows = .unknown(user: "anna")
        let unseen = try #require(facts.findings.first { $0.subject == "windows" })
        #expect(unseen.verdict == .unknown && !unseen.found.contains("adduser"))
        // Several people's user is nobody's session, and gets its windows from the policy alone.
        facts.windows = .notPermitted(user: "kiosk", isShared: true)
        #expect(
            facts.findings.first { $0.subject == "windows" }?.found.contains("`sudo adduser kiosk gate-presenter`")
                == true)
    }

    @Test("a grown-up on the list is a presenter for grown-ups, and is named where one has to be started (U-06)")
    func grownUpsOfTheList() throws {
        let thomas = GatePerson(
            name: "Thomas", kind: .grownUp, user: GatePerson.UnixUser(name: "thomas", uid: 1000))
        let needed = policy(needing: .init(gatesOfGrownUps: ["mode"]))
        let listed = failures {
            $0.policy = needed
            $0.people = .success([ListedPerson(thomas)])
        }
        #expect(listed.isEmpty)
        let stopped = failures {
            $0.policy = needed
            $0.people = .success([ListedPerson(thomas)])
            $0.presenterCount = 0
        }
        #expect(stopped.map(\.subject) == ["presenter"] && stopped[0].line.contains("`gatectl present` as thomas"))
        let unrecognized = failures {
            $0.policy = needed
            $0.people = .success([ListedPerson(thomas, isUserUnknown: true)])
        }
        #expect(unrecognized.map(\.subject) == ["presenter", "people"])
        #expect(unrecognized[0].line.contains("`sudo gatectl people set NAME --grown-up`"))
        let unseen = failures {
            $0.policy = needed
            $0.people = .failure(GateError(.permissionDenied, .notPermitted, "No."))
        }
        #expect(unseen.isEmpty, "somebody who can't see the list can't tell")
    }

    @Test("the doctor names what Gate's own screen lacks, and skips it if it is not installed (S-15)")
    func ownScreen() {
        func finding(
            _ screen: InstallationFacts.OwnScreen?, _ names: [String] = ["gate-screen"], isDefaultSocket: Bool = true
        ) -> Finding? {
            var facts = healthy
            facts.ownScreen = screen
            facts.isDefaultSocket = isDefaultSocket
            facts.policy = policy(needing: .init(grownUpPresenters: names))
            return facts.findings.first { $0.subject == "gate-screen.service" }
        }
        let whole = InstallationFacts.OwnScreen(isEnabled: true, isActive: true, hasWord: true)
        #expect(finding(nil) == nil && finding(whole, isDefaultSocket: false) == nil)
        #expect(finding(whole)?.verdict == .ok && finding(whole, ["a member of gate-screen"])?.verdict == .ok)
        #expect(finding(whole, ["anna"])?.line.contains("`sudo gatectl screen on`, which adds it") == true)
        let cases: [(lacks: String, isFailure: Bool, change: (inout InstallationFacts.OwnScreen) -> Void)] = [
            ("apt install cage", true, { $0.hasCompositor = false }),
            ("systemctl status gate-screen.service", true, { $0.isActive = false }),
            ("sudo gatectl screen off", true, { $0.isEnabled = false }),
            ("sudo gatectl screen word", false, { $0.hasWord = false }),
        ]
        for (lacks, isFailure, change) in cases {
            var screen = whole
            change(&screen)
            #expect(
                finding(screen)?.isFailure == isFailure && finding(screen)?.line.contains(lacks) == true, "\(lacks)")
        }
        let off = InstallationFacts.OwnScreen()
        #expect(finding(off, [])?.verdict == .unknown)
    }
}
