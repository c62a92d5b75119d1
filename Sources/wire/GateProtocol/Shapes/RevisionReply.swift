package import CGateProtocol
package import GateModel

/// An answer that holds only the revision in which the request was carried out.
package struct RevisionReply<CMessage: CRevisionReply>: MappedMessage {
    package var revision: Revision

    package init(revision: Revision) {
        self.revision = revision
    }

    init(reading message: CMessage) {
        self.init(revision: Revision(reading: message.revision))
    }

    func write(to message: inout CMessage, in arena: inout MessageArena) {
        message.revision = arena.message(revision)
    }
}

/// An answer that holds the revision in which the request was carried out, and to how many things it was done.
package struct CountReply<CMessage: CCountReply>: MappedMessage {
    package var revision: Revision
    package var count: Int

    package init(revision: Revision, count: Int) {
        self.revision = revision
        self.count = count
    }

    init(reading message: CMessage) {
        self.init(revision: Revision(reading: message.revision), count: Int(message.count))
    }

    func write(to message: inout CMessage, in arena: inout MessageArena) {
        message.revision = arena.message(revision)
        message.count = UInt32(clamping: count)
    }
}

// MARK: The generated structs

package protocol CRevisionReply: CStruct {
    var revision: UnsafeMutablePointer<Gate__V1__Revision>! { get set }
}

package protocol CCountReply: CRevisionReply {
    var count: UInt32 { get set }
}
