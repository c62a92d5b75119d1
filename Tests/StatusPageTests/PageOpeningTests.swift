import CGateStatus
import Foundation
import Testing

@Suite("Opening a status page")
struct PageOpeningTests {
    private let page = gate_status_page.saying(.parent())

    /// Expects that the page is refused for this reason, that nothing is mapped, and that the mode is child.
    private func expectRefusal(
        _ file: PageFile, _ problem: gate_status_problem, _ server: uid_t = geteuid(),
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(file.open(server) == problem, sourceLocation: sourceLocation)
        #expect(!file.isMapped, sourceLocation: sourceLocation)
        #expect(file.read().isClosed && !file.read().is_live, sourceLocation: sourceLocation)
    }

    @Test("a whole page of a trusted user is opened and read")
    func whole() throws {
        let file = try PageFile(page)
        #expect(file.open() == GATE_STATUS_OPENED)
        let status = file.read()
        #expect(status.is_live && status.mode == GATE_STATUS_PARENT && status.subscription_active)
        #expect(status.epoch == 7 && status.number == 42)
    }

    @Test("without a page, or a folder on the way to it, the mode is child")
    func absent() throws {
        expectRefusal(try PageFile(nil), GATE_STATUS_ABSENT)
    }

    @Test("a file that is too short or too long is no page")
    func size() throws {
        for byteCount in [0, 1, 63, 320, 4095, 4097, 8192] {
            expectRefusal(try PageFile(page, byteCount: byteCount), GATE_STATUS_NOT_A_PAGE)
        }
    }

    @Test("a link in place of the page is not followed, even to a whole page")
    func symbolicLink() throws {
        let (target, link) = (try PageFile(page), try PageFile(nil))
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: target.path)
        expectRefusal(link, GATE_STATUS_FAILED)
    }

    @Test("a pipe, a folder or a device in place of the page is refused without blocking")
    func otherFiles() throws {
        let pipe = try PageFile(nil)
        try #require(mkfifo(pipe.path, 0o644) == 0)
        expectRefusal(pipe, GATE_STATUS_NOT_A_PAGE)
        let folder = try PageFile(nil)
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: false)
        expectRefusal(folder, GATE_STATUS_NOT_A_PAGE)
        var reader = gate_status_reader()
        #expect(gate_status_open(&reader, "/dev/zero", geteuid()) == GATE_STATUS_NOT_A_PAGE)
    }

    @Test("a page that others may write to is not trusted", arguments: [0o664, 0o646, 0o666, 0o622])
    func writable(permissions: Int) throws {
        let file = try PageFile(page)
        try file.setPermissions(permissions)
        expectRefusal(file, GATE_STATUS_NOT_TRUSTED)
    }

    @Test(
        "a page of a user other than root and the server's is not trusted",
        .enabled(if: geteuid() == 0, "only root can be another"))
    func otherOwner() throws {
        let file = try PageFile(page)
        try #require(chown(file.path, 4242, 4242) == 0)
        expectRefusal(file, GATE_STATUS_NOT_TRUSTED)
        #expect(file.open(4242) == GATE_STATUS_OPENED)
        try #require(chown(file.path, 0, 0) == 0)
        #expect(file.open(4242) == GATE_STATUS_OPENED)
    }

    @Test("a file that does not begin with a page's mark is no page")
    func magic() throws {
        var forged = page
        forged.magic.7 ^= 1
        expectRefusal(try PageFile(forged), GATE_STATUS_NOT_A_PAGE)
    }

    @Test("a page of another layout is not read")
    func version() throws {
        var newer = page
        newer.version = 2
        expectRefusal(try PageFile(newer), GATE_STATUS_OTHER_VERSION)
        var longer = page
        longer.byte_count = 8192
        expectRefusal(try PageFile(longer), GATE_STATUS_OTHER_VERSION)
    }

    @Test("a page on a disk from before the boot is not believed, because a power cut marks no owner as dead")
    func otherBoot() throws {
        var older = page
        older.boot_id.0 = older.boot_id.0 == 48 ? 49 : 48
        let file = try PageFile(older)
        var system = statfs()
        try #require(statfs(file.path, &system) == 0)
        if system.f_type == 0x0102_1994 {
            // Nothing in memory is older than the boot.
            #expect(file.open() == GATE_STATUS_OPENED)
        } else {
            expectRefusal(file, GATE_STATUS_OTHER_BOOT)
        }
        #expect(try PageFile(older, isOnDisk: false).open() == GATE_STATUS_OPENED)
    }

    @Test("a reader that fails to open the page again has released the earlier one")
    func openedAgain() throws {
        let file = try PageFile(page)
        #expect(file.open() == GATE_STATUS_OPENED)
        try FileManager.default.removeItem(atPath: file.path)
        #expect(file.read().is_live)
        expectRefusal(file, GATE_STATUS_ABSENT)
    }

    @Test("a user's id is found in /etc/passwd by the whole name only")
    func users() throws {
        for name in ["root", "daemon", "nobody"] {
            let entry = try #require(getpwnam(name))
            #expect(gate_status_user(name) == entry.pointee.pw_uid)
        }
        for name in ["daemo", "daemon:", "", "no such user", "oot"] { #expect(gate_status_user(name) == 0) }
    }
}
