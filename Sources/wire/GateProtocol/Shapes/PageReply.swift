import GateModel

/// Any `PageReply`, for code that reads or shows a list page by page.
package protocol ListReply: WireMessage {
    associatedtype Element: Sendable

    var elements: [Element] { get }
    /// Empty on the last page.
    var nextPageToken: String { get }

    init(_ elements: [Element], nextPageToken: String)
}

package struct PageReply<Element: Equatable & Sendable, CMessage: CPageReply>: Equatable, Sendable {
    package var elements: [Element]
    /// Empty on the last page.
    package var nextPageToken: String

    package init(_ elements: [Element], nextPageToken: String) {
        self.elements = elements
        self.nextPageToken = nextPageToken
    }
}

extension PageReply: WireMessage, MessageMapping, MappedMessage, ListReply
where Element: MessageMapping, Element.CMessage == CMessage.CElement {
    init(reading message: CMessage) throws(GateError) {
        let (elements, count) = message.elements
        self.init(
            try [Element](reading: elements, count: count), nextPageToken: String(reading: message.next_page_token))
    }

    func write(to message: inout CMessage, in arena: inout MessageArena) {
        message.elements = arena.messages(elements)
        message.next_page_token = arena.string(nextPageToken)
    }
}

/// A repeated field of messages or strings, as the generated structs have it.
package typealias CList<CElement> = (elements: UnsafeMutablePointer<UnsafeMutablePointer<CElement>?>?, count: Int)

/// A generated struct with a list. Each has its own name for the list, which `elements` reads and sets.
package protocol CElementList: CStruct {
    associatedtype CElement: CStruct

    var elements: CList<CElement> { get set }
}

/// The generated struct of a `PageReply`.
// swift-format-ignore: AlwaysUseLowerCamelCase
package protocol CPageReply: CElementList {
    var next_page_token: UnsafeMutablePointer<CChar>! { get set }
}

/// A list as a message of its own, so that an empty list differs from one that is left out.
struct ElementList<Element: MessageMapping, CMessage: CElementList>: MessageMapping
where Element.CMessage == CMessage.CElement {
    let elements: [Element]

    init(_ elements: [Element]) {
        self.elements = elements
    }

    init(reading message: CMessage) throws(GateError) {
        let (elements, count) = message.elements
        self.elements = try [Element](reading: elements, count: count)
    }

    func write(to message: inout CMessage, in arena: inout MessageArena) {
        message.elements = arena.messages(elements)
    }
}
