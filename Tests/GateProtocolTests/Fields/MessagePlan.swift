import CGateProtocol

@testable import GateProtocol

typealias MessageDescriptor = UnsafePointer<ProtobufCMessageDescriptor>

/// The fields of a message, with the rules and values that hold for them in the place where the message stands.
struct MessagePlan {
    let fields: [FieldPlan]

    /// - Parameter exclusions: of the fields of each, a message holds only one.
    init(_ message: MessageDescriptor, exclusions: [FieldExclusion] = FieldExclusion.all) {
        self.init(message, within: [], exclusions: exclusions)
    }

    /// - Parameter prefixes: the path to the message from each message around it.
    fileprivate init(_ message: MessageDescriptor, within prefixes: [String], exclusions: [FieldExclusion]) {
        let name = String(cString: message.pointee.name).dropFirst("gate.v1.".count)
        let prefixes = prefixes + [String(name)]
        fields = FieldDescription.all(of: message).map { FieldPlan($0, within: prefixes, exclusions: exclusions) }
    }

    /// The fields of which only one is set, including this one.
    func alternatives(to field: FieldPlan) -> [FieldPlan] {
        guard let group = field.group else { return [field] }
        return fields.filter { $0.group == group }
    }

    /// How many variants `FilledMessage` has of the message.
    var variantCount: Int {
        fields.map { alternatives(to: $0).count * $0.variantCount }.max() ?? 1
    }

    /// Whether the rules say that a field does not come back.
    func isLost(_ field: FieldPlan, variant: Int, element: Int) -> Bool {
        guard let exception = field.exception else { return false }
        guard let condition = exception.keptWith,
            let other = fields.first(where: { $0.description.name == condition.field })
        else { return true }
        return !condition.values.contains(other.enumValue(variant: variant, element: element).name)
    }
}

/// A field of a message in a certain place.
struct FieldPlan {
    /// The fields of which a message holds only one.
    enum Group: Hashable {
        case oneof(UInt32)
        case exclusion(Int)
    }

    let description: FieldDescription
    let exception: FieldException?
    let group: Group?
    /// The message in the field.
    let part: MessagePlan?
    /// "AuditPeer.guardian.id", "Guardian.id", and "id" for the fields of all messages.
    private let names: [String]
    private let enumValues: [(name: String, number: UInt64)]

    fileprivate init(_ field: FieldDescription, within prefixes: [String], exclusions: [FieldExclusion]) {
        let paths = prefixes.map { "\($0).\(field.name)" }
        let names = paths + [field.name]
        (description, self.names) = (field, names)
        exception = FieldException.all.first { names.contains($0.field) }
        if field.isOneofMember {
            group = .oneof(field.oneofID)
        } else {
            group = exclusions.firstIndex { !$0.fields.isDisjoint(with: names) }.map(Group.exclusion)
        }
        if case .message(let message) = field.kind {
            part = MessagePlan(message, within: paths, exclusions: exclusions)
        } else {
            part = nil
        }
        if case .enumeration(let descriptor) = field.kind {
            let taken = FieldValues.enumValues(of: names)
            enumValues = UnsafeBufferPointer(start: descriptor.pointee.values, count: Int(descriptor.pointee.n_values))
                .map { (String(cString: $0.name), UInt64($0.value)) }
                .filter { $0.number != 0 && taken?.contains($0.name) ?? true }
        } else {
            enumValues = []
        }
    }

    /// How many variants there are of what is in the field.
    fileprivate var variantCount: Int { part?.variantCount ?? max(enumValues.count, 1) }

    fileprivate func enumValue(variant: Int, element: Int) -> (name: String, number: UInt64) {
        enumValues[(variant + element) % enumValues.count]
    }

    /// The value of a field that is encoded as a varint.
    func number(variant: Int, element: Int) -> UInt64 {
        switch description.kind {
        case .bool: return 1
        case .enumeration: return enumValue(variant: variant, element: element).number
        case .int32, .uint32, .int64, .uint64:
            // A later field has a larger number, since `last_report_unix_milliseconds` has to be later than the field before it.
            return FieldValues.number(of: names) ?? UInt64(description.number) * 10 + UInt64(element)
        case .float, .double, .string, .bytes, .message:
            preconditionFailure("\(description.name) has a type that FilledMessage can't encode yet")
        }
    }

    /// The value of a string, or bytes.
    func bytes(element: Int) -> [UInt8] {
        if case .bytes = description.kind { return [UInt8](repeating: UInt8(element + 1), count: 32) }
        return Array((FieldValues.texts(of: names)?[element] ?? "\(description.name) \(element)").utf8)
    }
}
