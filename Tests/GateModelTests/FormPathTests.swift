import GateModel
import Testing

@Suite("Paths of forms, and versions of apps")
struct FormPathTests {
    @Test(
        "F-31: a path is written as it was read", arguments: ["name", "driver[0]", "driver[12]/name", "a[1]/b[2]/c"])
    func readsPaths(_ text: String) throws {
        let path = try #require(FormPath(text: text))
        #expect(path.description == text)
    }

    @Test("a path's parts are linkIds and indices")
    func parts() throws {
        let path = try #require(FormPath(text: "driver[12]/name"))
        #expect(path.steps == [FormPath.Step("driver", 12), FormPath.Step("name")])
        #expect(path.linkID == "name")
        #expect(path.index == nil)
    }

    @Test(
        "malformed paths are refused",
        arguments: [
            "", "/", "a/", "/a", "a//b", "[1]", "a[]", "a[-1]", "a[1", "a1]", "a[x]", "a[10000]", "a[1]b", "a[+1]",
            String(repeating: "a", count: 1025),
        ])
    func refusesPaths(_ text: String) {
        #expect(FormPath(text: text) == nil)
    }

    @Test("a version has up to three numbers, and missing ones are 0")
    func versions() {
        #expect(AppVersion("1.2.3") == AppVersion(1, 2, 3))
        #expect(AppVersion("1.2") == AppVersion(1, 2, 0))
        #expect(AppVersion("1")?.description == "1.0.0")
        for wrong in ["", "1.", ".1", "1.2.3.4", "v1", "1.-2", "1.2b", "4294967296"] {
            #expect(AppVersion(wrong) == nil)
        }
    }

    @Test("versions are in order by their numbers, not by their texts")
    func versionOrder() throws {
        let versions = try ["0.9.9", "1.0.0", "1.2.0", "1.10.0", "1.10.1", "2.0.0"].map { try #require(AppVersion($0)) }
        #expect(versions.reversed().sorted() == versions)
    }
}
