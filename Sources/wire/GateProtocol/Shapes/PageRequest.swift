/// A request for a page of a list, which may say more about what is to be in the list.
package protocol PagedRequest {
    /// At most this many; 0: as many as one response holds.
    var pageSize: Int { get }
    /// The `nextPageToken` of the previous response; empty: from the beginning.
    var pageToken: String { get }
}

package struct PageRequest<CMessage: CPageRequest>: MappedMessage, PagedRequest {
    package var pageSize: Int
    package var pageToken: String

    package init(pageSize: Int = 0, pageToken: String = "") {
        self.pageSize = pageSize
        self.pageToken = pageToken
    }

    init(reading message: CMessage) {
        self.init(pageSize: Int(message.page_size), pageToken: String(reading: message.page_token))
    }

    func write(to message: inout CMessage, in arena: inout MessageArena) {
        message.page_size = UInt32(clamping: pageSize)
        message.page_token = arena.string(pageToken)
    }
}

/// The generated struct of a `PageRequest`.
// swift-format-ignore: AlwaysUseLowerCamelCase
package protocol CPageRequest: CStruct {
    var page_size: UInt32 { get set }
    var page_token: UnsafeMutablePointer<CChar>! { get set }
}
