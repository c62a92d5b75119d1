import CGateProtocol

/// A request for a part of a list. Many are just that.
package protocol PageRequest: WireMessage {
    /// At most this many; 0: as many as one answer holds.
    var pageSize: Int { get }
    /// From the answer before; empty: from the beginning.
    var pageToken: String { get }

    init(pageSize: Int, pageToken: String)
}

extension MappedMessage where Self: PageRequest, CMessage: CPageRequest {
    init(reading message: CMessage) {
        self.init(pageSize: Int(message.page_size), pageToken: String(reading: message.page_token))
    }

    func write(to message: inout CMessage, in arena: inout MessageArena) {
        message.page_size = UInt32(clamping: pageSize)
        message.page_token = arena.string(pageToken)
    }
}

/// The generated struct of a `PageRequest`.
// The names are those of the generated code.
// swift-format-ignore: AlwaysUseLowerCamelCase
protocol CPageRequest {
    var page_size: UInt32 { get set }
    var page_token: UnsafeMutablePointer<CChar>! { get set }
}

extension Gate__V1__ListGrantsRequest: CPageRequest {}
extension Gate__V1__ListGatedActionsRequest: CPageRequest {}
extension Gate__V1__ListLockoutsRequest: CPageRequest {}
extension Gate__V1__ListAccountsRequest: CPageRequest {}
extension Gate__V1__ListClaimsRequest: CPageRequest {}
extension Gate__V1__ListQuestionnairesRequest: CPageRequest {}
extension Gate__V1__ListReleaseNotesRequest: CPageRequest {}
