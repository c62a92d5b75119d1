import Foundation
import GateCore
import GateModel
import GateProtocol
import Testing

@testable import GateDaemon

@Suite("The login sessions on the screens (Z-02)", .timeLimit(.minutes(10)))
struct LoginSessionTests {
    /// A folder of the login manager's, in which each test writes its sessions.
    private struct Folder {
        let path = "/tmp/gate-logins-\(UUID().uuidString.prefix(8))"

        init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

        func remove() { try? FileManager.default.removeItem(atPath: path) }

        /// Writes a new file, and gives it the session's name then, as logind does.
        func write(_ name: String, _ text: String) throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"), options: .atomic)
        }

        var read: ShownSessions { ShownSessions(reading: path) }
    }

    /// The file of a session as logind of Debian 12 writes it.
    private static func file(
        _ uid: UInt32, active: Bool, seat: String? = "seat0", state: String? = nil, kind: String = "user",
        last: String = ""
    ) -> String {
        """
        # This is private data. Do not parse.
        UID=\(uid)
        USER=somebody
        ACTIVE=\(active ? 1 : 0)
        IS_DISPLAY=1
        STATE=\(state ?? (active ? "active" : "online"))
        REMOTE=0
        TYPE=wayland
        ORIGINAL_TYPE=wayland
        CLASS=\(kind)
        SCOPE=session-2.scope
        FIFO=/run/systemd/sessions/2.ref
        \(seat.map { "SEAT=\($0)\n" } ?? "")TTY=tty2
        SERVICE=gdm-password
        VTNR=2
        LEADER=1234
        \(last)
        """
    }

    private static func sessions(_ texts: String...) -> ShownSessions {
        ShownSessions(texts.compactMap { LoginSession($0) })
    }

    @Test("a file of logind says whose session it is, and whether it has the screens of its seat")
    func parsed() throws {
        let session = try #require(LoginSession(Self.file(1002, active: false)))
        #expect(session.uid == 1002 && session.seat == "seat0" && !session.isActive)
        #expect(session.isPersons && !session.isService)
        let logInScreen = LoginSession(Self.file(120, active: true, kind: "greeter"))
        #expect(logInScreen?.isPersons == false && logInScreen?.isActive == true)
        #expect(LoginSession(Self.file(1002, active: true, state: "closing"))?.isPersons == false)
        #expect(LoginSession(Self.file(1002, active: true, seat: nil, kind: "manager"))?.isService == true)
        #expect(LoginSession(Self.file(1002, active: true, kind: "background"))?.isService == false, "it has a seat")
        for text in [
            "", "UID=1002\n", "\u{0}",
            Self.file(1, active: true).replacingOccurrences(of: "ACTIVE=1", with: "ACTIVE=yes"),
        ] {
            #expect(LoginSession(text) == nil)
        }
    }

    @Test("lines that a session's own user has put into its file change nothing")
    func forged() throws {
        // New versions of logind write the display as the session's program has set it, with its line breaks.
        let lines = "DISPLAY=:0\nUID=1004\nACTIVE=0\nSTATE=online\nCLASS=manager\nSEAT=seat7\n"
        let honest = try #require(LoginSession(Self.file(1002, active: true)))
        #expect(LoginSession(Self.file(1002, active: true, last: lines)) == honest)
        let remote = Self.file(1002, active: true, seat: nil, last: lines)
        let behind = Self.file(1002, active: false)
        #expect(Self.sessions(Self.file(1004, active: true), behind, remote).hidden == [])
    }

    @Test("hidden are users whose sessions are all behind others; if anything is unclear, nobody is")
    func hidden() {
        let (mother, child) = (Self.file(1004, active: true), Self.file(1002, active: false))
        let both = ShownSessions(shown: [1004], hidden: [1002])
        #expect(Self.sessions(mother, child) == both)
        let service = Self.file(1002, active: true, seat: nil, kind: "manager")
        #expect(Self.sessions(mother, child, service) == both, "the child's own systemd is no screen")
        let timer = Self.file(0, active: true, seat: nil, kind: "background")
        #expect(Self.sessions(mother, child, timer) == both)
        #expect(Self.sessions(mother, child, Self.file(1002, active: true, seat: nil)).hidden == [], "logged in by ssh")
        #expect(Self.sessions(mother, child, Self.file(1002, active: true, seat: "seat1")).hidden == [], "two monitors")
        #expect(Self.sessions(mother, child, Self.file(1001, active: true, seat: nil)).shown == [1004, 1001])
        let closing = Self.file(1002, active: false, state: "closing")
        #expect(Self.sessions(mother, closing).hidden == [])
        for unclear in [
            // A log-in screen, or a locked one that has a session of its own.
            Self.file(120, active: true, kind: "greeter"), Self.file(1004, active: true, kind: "lock-screen"),
            // The mother has just logged out.
            Self.file(1004, active: true, state: "closing"),
            // The screen shows something without a session: nobody's is active.
            Self.file(1004, active: false),
            // She is somewhere else, and the screen shows something without a session.
            Self.file(1004, active: true, seat: nil),
            // She is at another seat.
            Self.file(1004, active: true, seat: "seat1"),
        ] {
            #expect(Self.sessions(unclear, child) == ShownSessions())
        }
        #expect(Self.sessions() == ShownSessions() && Self.sessions(child) == ShownSessions())
    }

    @Test("a folder is read as a whole or not at all, and pipes and unfinished files in it are left alone")
    func folder() throws {
        let folder = try Folder()
        defer { folder.remove() }
        #expect(folder.read == ShownSessions())
        try folder.write("2", Self.file(1004, active: true))
        try folder.write("c1", Self.file(1002, active: false))
        // Reading a pipe would wait for somebody who writes into it.
        #expect(mkfifo("\(folder.path)/2.ref", 0o600) == 0)
        try folder.write(".#3abc", "UID=")
        let both = ShownSessions(shown: [1004], hidden: [1002])
        #expect(folder.read == both)
        try folder.write("4", "UID=7\n")
        #expect(folder.read == ShownSessions())
        try FileManager.default.removeItem(atPath: "\(folder.path)/4")
        #expect(folder.read == both)
        for number in 100..<163 { try folder.write("\(number)", Self.file(1004, active: true)) }
        #expect(folder.read == ShownSessions(), "65 sessions")
        #expect(ShownSessions(reading: "\(folder.path)/none") == ShownSessions())
    }

    // MARK: - With a daemon

    private static let users: [UInt32: String] = [1001: "anna", 1002: "ben", 1004: "mother", 0: "root"]

    private static let database = UserDatabase(
        uid: { name in users.first { $0.value == name }?.key }, name: { users[$0] }, hasAccount: { _ in true })

    private static let policy = """
        allowances: {games: {mon-sun: 10m}}
        gated-actions:
          game.play: {title: Play, requires: {allowance: games}}

        """

    private func games(_ peer: Connected) async throws -> UsedTime? {
        try await peer.call(Methods.Usage.listUsage, ListUsageRequest(days: 0)).elements.first
    }

    @Test("a game that was left open costs nothing while the mother is at the device, and costs again afterwards")
    func played() async throws {
        let folder = try Folder()
        defer { folder.remove() }
        try await LiveGate.with(policy: Self.policy, users: Self.database, loginSessions: folder.path) { gate, _ in
            let root = try await gate.connect("root")
            for person in [
                GatePerson(name: "mia", kind: .child(born: nil), user: .init(name: "ben", uid: 0)),
                GatePerson(name: "mum", kind: .grownUp, user: .init(name: "mother", uid: 0)),
            ] {
                _ = try await root.call(Methods.People.set, SetPersonRequest(person: ListedPerson(person)))
            }
            await gate.authority.settled()
            try folder.write("2", Self.file(1002, active: true))
            let ben = try await gate.connect("ben")
            var stream = try await ben.open(Methods.Usage.countUse, CountUseRequest(gatedAction: "game.play"))
            _ = try await stream.next()
            await gate.advance(by: .seconds(30))

            // The mother logs in. While both sessions claim the screen, as in the middle of a switch, time runs.
            try folder.write("3", Self.file(1004, active: true))
            try folder.write("2", Self.file(1002, active: false))
            try await PresenterTests.until { try await self.games(ben)?.isRunning == false }
            await gate.advance(by: .seconds(3600))
            let paused = try await games(ben)
            #expect(paused?.used == .seconds(30) && paused?.left == .seconds(570))

            // Another game does not run either, and hears the time that is left.
            var second = try await ben.open(Methods.Usage.countUse, CountUseRequest(gatedAction: "game.play"))
            let left = try await second.next()?.time
            #expect(left == TimeLeft(left: .seconds(570), isOver: false))
            let isRunning = try await games(ben)?.isRunning
            #expect(isRunning == false)

            try folder.write("3", Self.file(1004, active: false))
            try folder.write("2", Self.file(1002, active: true))
            try await PresenterTests.until { try await self.games(ben)?.isRunning == true }
            await gate.advance(by: .seconds(60))
            let used = try await games(ben)?.used
            #expect(used == .seconds(90))
        }
    }

    @Test("what begins behind a grown-up's session does not run, and a folder that is not there stops nothing")
    func begun() async throws {
        let folder = try Folder()
        defer { folder.remove() }
        try folder.write("2", Self.file(1002, active: false))
        try folder.write("3", Self.file(1004, active: true))
        for path in [folder.path, "\(folder.path)/none"] {
            try await LiveGate.with(policy: Self.policy, users: Self.database, loginSessions: path) { gate, _ in
                let root = try await gate.connect("root")
                for (name, kind, user) in [
                    ("mia", GatePerson.Kind.child(born: nil), "ben"), ("mum", .grownUp, "mother"),
                ] {
                    let person = GatePerson(name: name, kind: kind, user: .init(name: user, uid: 0))
                    _ = try await root.call(Methods.People.set, SetPersonRequest(person: ListedPerson(person)))
                }
                await gate.authority.settled()
                let ben = try await gate.connect("ben")
                var stream = try await ben.open(Methods.Usage.countUse, CountUseRequest(gatedAction: "game.play"))
                _ = try await stream.next()
                await gate.advance(by: .seconds(60))
                let used = try #require(try await games(ben)?.used)
                // A millisecond may pass before the daemon has looked.
                #expect(path == folder.path ? used <= .milliseconds(1) : used == .seconds(60))
            }
        }
    }
}
