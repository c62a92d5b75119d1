import GateModel
import Testing

@testable import GateDaemon

@Suite("Lists in pages")
struct PagingTests {
    private let keys = (1...7).map { PageKey(group: 1000 + $0 / 3, name: "gate.\($0) with a space") }

    private func page(_ size: Int, _ token: String, limit: Int = 5) throws(GateError) -> Page<PageKey> {
        try Page(of: keys, size: size, after: token, limit: limit, hasGroups: true) { $0 }
    }

    @Test("all pages together list each element once", arguments: [1, 2, 3, 6, 7])
    func together(size: Int) throws {
        var (found, token): ([PageKey], String) = ([], "")
        repeat {
            let page = try page(size, token, limit: 100)
            #expect(page.elements.count <= size)
            found += page.elements
            token = page.nextToken
        } while !token.isEmpty && found.count < 100
        #expect(found == keys)
    }

    @Test("no page is larger than the limit, whatever is asked for", arguments: [0, 6, 1_000_000, -1])
    func limited(size: Int) throws {
        #expect(try page(size, "").elements.count == 5)
    }

    @Test("a page has no more than fits, but always at least one element (L-03)", arguments: [1, 3, 4, 7, 100])
    func room(_ room: Int) throws {
        let weights = [2, 1, 5, 1, 1, 1, 1]
        var (found, token): ([PageKey], String) = ([], "")
        repeat {
            let page = try Page(
                of: keys, size: 0, after: token, limit: 100, hasGroups: true, room: room,
                weight: { weights[keys.firstIndex(of: $0) ?? 0] }
            ) { $0 }
            let weight = page.elements.reduce(0) { $0 + weights[keys.firstIndex(of: $1) ?? 0] }
            #expect(!page.elements.isEmpty && (page.elements.count == 1 || weight <= room))
            found += page.elements
            token = page.nextToken
        } while !token.isEmpty && found.count < 100
        #expect(found == keys)
    }

    @Test("the last page has no token")
    func end() throws {
        #expect(try page(7, "", limit: 7).nextToken == "")
        #expect(try page(6, "", limit: 7).nextToken != "")
    }

    @Test("a page begins after the token's place, even if that element is gone")
    func goesOn() throws {
        let token = PageKey(group: 1000, name: "gate.2x").token
        #expect(try page(1, token).elements == [keys[2]])
    }

    @Test(
        "a malformed token is refused",
        arguments: ["x", "after", "after 1", "after x gate", "before 1 gate", "after 99999999999 gate", " "])
    func badToken(token: String) {
        let error = #expect(throws: GateError.self) { try page(1, token) }
        #expect(error?.code == .invalidArgument)
    }

    @Test("a person can read an element's name from a token", arguments: [nil, 1001] as [UInt32?])
    func token(uid: UInt32?) throws {
        let key = PageKey(group: uid, name: "link.open")
        #expect(PageKey(token: key.token, hasGroup: uid != nil) == key)
        #expect(key.token.hasSuffix("link.open"))
    }
}
