import Foundation
import GateModel
import GateScripting

/// One line of `gatectl --json`.
struct GatectlReply {
    let fields: [String: Any]
    /// The line as it was printed, numbers included; empty for an object within it.
    private(set) var line = ""

    /// `nil` if the line is not an object.
    init?(_ line: String) {
        guard let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) else { return nil }
        guard let fields = object as? [String: Any] else { return nil }
        self.init(fields: fields)
        self.line = line
    }

    init(fields: [String: Any]) {
        self.fields = fields
    }

    /// An object in the reply.
    subscript(_ name: String) -> GatectlReply? {
        (fields[name] as? [String: Any]).map(GatectlReply.init(fields:))
    }

    func text(_ name: String) -> String? {
        fields[name] as? String
    }

    /// A number; proto3 JSON writes those of 64 bits as strings.
    func number(_ name: String) -> Int64? {
        text(name).flatMap(Int64.init) ?? (fields[name] as? NSNumber)?.int64Value
    }

    /// A truth value; false ones are often left out.
    func isTrue(_ name: String) -> Bool {
        fields[name] as? Bool ?? false
    }

    func objects(_ name: String) -> [GatectlReply] {
        (fields[name] as? [[String: Any]] ?? []).map(GatectlReply.init(fields:))
    }

    // MARK: - What Gate says

    var error: GatectlReply? { self["error"] }

    var revisionNumber: Int64? { self["revision"]?.number("number") }

    /// The question in a reply to `toggle` or `extend`.
    var presentation: GatectlReply? {
        guard let outer = self["presentation"] else { return nil }
        return outer["presentation"] ?? outer
    }

    /// The mode of a ModeState.
    var mode: Mode? {
        switch text("mode") {
        case "MODE_CHILD": .child
        case "MODE_VERIFYING": .verifying
        case "MODE_PARENT": .parent
        default: nil
        }
    }

    /// `nil` in child mode.
    var deadline: BootTime? {
        number("deadlineBoottimeNanoseconds").flatMap { $0 == 0 ? nil : BootTime(nanoseconds: $0) }
    }

    /// The kind of an AuditEntry: "AUDIT_KIND_ANSWERED_WRONG" is `answeredWrong`.
    var auditKind: AuditEntry.Kind? {
        guard let words = text("kind")?.split(separator: "_").dropFirst(2), let first = words.first else { return nil }
        return AuditEntry.Kind(rawValue: first.lowercased() + words.dropFirst().map(\.capitalized).joined())
    }

    /// The exit status that belongs to it (docs/shell.md).
    var exitStatus: Int32 {
        switch error?.text("code") {
        case nil: 0
        case "FAILED_PRECONDITION": ["REASON_BAD_POLICY": 65, "REASON_ASKED": 4][error?.text("reason")] ?? 1
        case "UNAUTHENTICATED": 1
        case "ABORTED": ["REASON_NO_PRESENTER", "REASON_NOT_PARENT"].contains(error?.text("reason")) ? 2 : 75
        case "CANCELLED": 3
        case "INVALID_ARGUMENT", "NOT_FOUND", "UNIMPLEMENTED", "OUT_OF_RANGE", "ALREADY_EXISTS": 65
        case "RESOURCE_EXHAUSTED": 75
        case "PERMISSION_DENIED": 77
        case "DEADLINE_EXCEEDED": 124
        default: 69
        }
    }
}
