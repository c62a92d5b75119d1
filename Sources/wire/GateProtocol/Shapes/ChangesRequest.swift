/// A request that waits until something has changed since the answer that the sender received last.
package struct ChangesRequest<CMessage: CChangesRequest>: MappedMessage {
    /// The `change` of the last answer; 0 if there was none yet, so that the request is answered at once.
    package var afterChange: UInt64

    package init(afterChange: UInt64 = 0) {
        self.afterChange = afterChange
    }

    init(reading message: CMessage) {
        self.init(afterChange: message.after_change)
    }

    func write(to message: inout CMessage, in arena: inout MessageArena) {
        message.after_change = afterChange
    }
}

/// The generated struct of a `ChangesRequest`.
// swift-format-ignore: AlwaysUseLowerCamelCase
package protocol CChangesRequest: CStruct {
    var after_change: UInt64 { get set }
}
