import ArgumentParser
import GateModel
import GateProtocol
import Glibc
import Testing

@testable import gatectl

@Suite("Typing a name and a password")
struct SignInFieldsTests {
    private func type(_ text: String, into fields: inout SignInFields) -> [SignInFields.Event] {
        var decoder = KeyDecoder()
        return text.utf8.compactMap { decoder.byteReceived($0) }
            .map { fields.keyReceived($0) }.filter { $0 != .edited }
    }

    @Test("Return goes from the name to the password, and then submits both as they were typed (F-67)")
    func order() {
        var fields = SignInFields()
        #expect(type("änna b\n", into: &fields).isEmpty && fields.field == .password && !fields.canLogIn)
        #expect(type(" pä\u{7f}ß ", into: &fields).isEmpty && fields.canLogIn)
        #expect(fields.name == "änna b" && fields.dots("•") == "••••")
        #expect(type("\n", into: &fields) == [.finished(name: "änna b", password: GateSecret(" pß ".utf8))])
        #expect(fields.dots("•") == "" && fields.name == "änna b")
    }

    @Test("the tab key goes to the other field and back")
    func tab() {
        var fields = SignInFields()
        #expect(type("\tsecret\t", into: &fields).isEmpty && fields.field == .name)
        #expect(type("\u{1b}[Z", into: &fields).isEmpty && fields.field == .password)
        #expect(type("\u{1b}[Zanna\n", into: &fields) == [.finished(name: "anna", password: GateSecret("secret".utf8))])
    }

    @Test("an empty field is named, and nothing is sent (F-66)")
    func empty() {
        var fields = SignInFields()
        #expect(type("\n", into: &fields) == [.missing(.name)])
        #expect(type("\tsecret\n", into: &fields) == [.missing(.name)])
        #expect(fields.field == .name)
        var other = SignInFields()
        #expect(type("anna\n\n", into: &other) == [.missing(.password)])
    }

    @Test("after a wrong password the name stays and the password is cleared")
    func refused() {
        var fields = SignInFields()
        _ = type("anna\nsecret\n", into: &fields)
        fields.refused()
        #expect(fields.name == "anna" && fields.field == .password && fields.dots("•") == "")
        #expect(type("other\n", into: &fields) == [.finished(name: "anna", password: GateSecret("other".utf8))])
    }
}

@Suite("Passwords from a file")
struct SecretFileTests {
    private func withFile<R>(
        _ contents: String, mode: mode_t = 0o600, _ body: (SecretFile) throws -> R
    ) throws -> R {
        var path = Array("/tmp/gatectl-secret-XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        try #require(descriptor >= 0)
        let name = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { unlink(name) }
        _ = Array(contents.utf8).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        fchmod(descriptor, mode)
        close(descriptor)
        return try body(SecretFile(path: name))
    }

    @Test(
        "the password is the first line, with or without an end",
        arguments: ["se cret", "se cret\n", "se cret\r\n", "se cret\nmore\n"])
    func firstLine(contents: String) throws {
        #expect(try withFile(contents) { try $0.lines(1) } == [GateSecret("se cret".utf8)])
    }

    @Test("of two passwords in a file each has a line of its own")
    func twoLines() throws {
        #expect(try withFile("old\nnew") { try $0.lines(2) } == [GateSecret("old".utf8), GateSecret("new".utf8)])
        let error = #expect(throws: GateError.self) { try withFile("old\n") { try $0.lines(2) } }
        #expect(error?.exitStatus == 65 && error?.message.contains("old") == false)
    }

    @Test("a file that others can read or change is refused, with the mend", arguments: [0o640, 0o604, 0o602, 0o620])
    func permissions(mode: Int) throws {
        let error = #expect(throws: GateError.self) {
            try withFile("hunter2\n", mode: mode_t(mode)) { try $0.lines(1) }
        }
        #expect(error?.exitStatus == 65)
        #expect(error?.message.contains("chmod 600") == true && error?.message.contains("hunter2") == false)
    }

    @Test(
        "a file that belongs to another user is refused", .enabled(if: geteuid() == 0, "only root can give a file away")
    )
    func owner() throws {
        let error = #expect(throws: GateError.self) {
            try withFile("secret\n") { file in
                chown(file.path, 65534, 65534)
                return try file.lines(1)
            }
        }
        #expect(error?.message.contains("65534") == true)
    }

    @Test("an empty file, one that is not there, a folder and an endless one are refused")
    func nothing() throws {
        #expect(throws: GateError.self) { try withFile("") { try $0.lines(1) } }
        #expect(throws: GateError.self) { try SecretFile(path: "/nowhere/at/all").lines(1) }
        #expect(throws: GateError.self) { try SecretFile(path: "/proc").lines(1) }
        #expect(throws: GateError.self) { try withFile(String(repeating: "x", count: 5000)) { try $0.lines(1) } }
    }

    @Test("a password file without a name is refused, and the error shows where the name goes")
    func nameIsMissing() async throws {
        let source = try withFile("secret\n") { file in
            try PasswordSource(try PasswordOptions.parse(["--password-file", file.path]), count: 1, orElse: "")
        }
        let error = await #expect(throws: GateError.self) { try await source.name(nil, verb: "login") }
        #expect(error?.message.contains("gatectl login NAME") == true)
        #expect(try await source.name("anna", verb: "login") == "anna")
        var taken = source
        #expect(try await taken.newPassword() == GateSecret("secret".utf8))
    }
}

@Suite("Text about sign-in and accounts")
struct SignInTextTests {
    private let now = BootTime(nanoseconds: 1_000_000_000)

    @Test("a line says who is signed in and for how long, or that nobody is")
    func lines() {
        #expect(SignInText(state: anna).line(now: now) == "anna is signed in  59:59 left")
        var child = anna
        child.session?.isChild = true
        #expect(SignInText(state: child).line(now: now) == "anna is signed in (a child)  59:59 left")
        #expect(SignInText(state: .closed).line(now: now) == "nobody is signed in")
        let needed = SignInState(session: nil, isAuthenticating: true, needsAuthentication: true)
        #expect(
            SignInText(state: needed).line(now: now)
                == "nobody is signed in, but a sign-in is required  a name and a password are being checked")
        #expect(!SignInText(state: .closed).isNotable && SignInText(state: needed).isNotable)
    }

    @Test("a person's line says who they are, how old a child is today, and which Unix user is theirs")
    func people() throws {
        let today = try #require(CivilDate("2026-03-01"))
        let born = try #require(CivilDate("2015-03-02"))
        #expect(
            PersonText.columns(ListedPerson(GatePerson(name: "anna", kind: .child(born: born))), today: today)
                == ["anna", "child", "born 2015-03-02", "10 years old"])
        #expect(
            PersonText.columns(
                ListedPerson(GatePerson(name: "b\u{1b}[2J", kind: .grownUp, hasPassword: true, isConfirmed: false)),
                today: today)
                == ["b<U+001B>[2J", "grown-up", "signs in", "not confirmed"])
        let mia = GatePerson(name: "mia", kind: .child(born: nil), user: GatePerson.UnixUser(name: "mia", uid: 1001))
        #expect(PersonText.columns(ListedPerson(mia), today: today) == ["mia", "child", "user mia (1001)"])
        #expect(
            PersonText.columns(ListedPerson(mia, isUserUnknown: true), today: today)
                == ["mia", "child", "user mia is not 1001: unknown"])
    }
}
