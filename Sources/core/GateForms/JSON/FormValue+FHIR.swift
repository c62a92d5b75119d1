import GateModel

extension FHIRNode {
    /// The value of one of FHIR's choices of types, like "valueString" for "value", and the type in its key.
    ///
    /// - Returns: `nil` if there is none. Only `value` is `nil` if it is not written as its type requires, which
    ///   `StructureCheck` reports, and for attachments, which `AttachmentReading` reads.
    func choice(_ prefix: String) -> (type: String, value: FormValue?, node: FHIRNode)? {
        guard
            let entry = entries.first(where: { entry in
                entry.key.hasPrefix(prefix) && Self.valueTypes.contains(String(entry.key.dropFirst(prefix.count)))
            })
        else { return nil }
        let type = String(entry.key.dropFirst(prefix.count))
        return (type, entry.value.value(of: type), entry.value)
    }

    /// The types of values that R4's questionnaires and responses have.
    static let valueTypes: Set<String> = [
        "Boolean", "Decimal", "Integer", "Date", "DateTime", "Time", "String", "Uri", "Coding", "Quantity", "Reference",
        "Attachment",
    ]

    /// Whether it has nothing that Gate keeps: only extensions, for example, or the identifier of a reference.
    func saysNothing(as type: String) -> Bool {
        ["Coding", "Quantity", "Reference"].contains(type) && entries.contains { $0.key != "id" }
            && entries.allSatisfy { $0.key.hasPrefix("_") || Self.unkeptKeys.contains($0.key) }
    }

    static let saysNothing = "There is nothing in it that Gate keeps. Add what people read, as 'display' or 'unit'."

    private static let unkeptKeys: Set<String> = ["id", "extension", "identifier", "userSelected"]

    private func value(of type: String) -> FormValue? {
        switch type {
        case "Boolean": boolean.map(FormValue.boolean)
        case "Decimal": numberText.flatMap(FormDecimal.init).map(FormValue.decimal)
        case "Integer": integer.map(FormValue.integer)
        case "Date": text.flatMap(FormDate.init).map(FormValue.date)
        case "DateTime": text.flatMap(FormDateTime.init).map(FormValue.dateTime)
        case "Time": text.flatMap(FormTime.init).map(FormValue.time)
        case "String": text(of: .string).map(FormValue.string)
        case "Uri": text(of: .uri).map(FormValue.uri)
        case "Coding": coding.map(FormValue.coding)
        case "Quantity": quantity.map(FormValue.quantity)
        case "Reference": reference.map(FormValue.reference)
        default: nil
        }
    }

    /// The text, if it is written as this type requires.
    func text(of type: PrimitiveText) -> String? { text.flatMap { type.isWellFormed($0) ? $0 : nil } }

    /// `nil` if this is no object, or an empty one.
    var coding: FormCoding? {
        guard !entries.isEmpty else { return nil }
        return FormCoding(
            system: self["system"]?.text(of: .uri), version: self["version"]?.text, code: self["code"]?.text(of: .code),
            display: self["display"]?.text)
    }

    private var quantity: FormQuantity? {
        guard !entries.isEmpty else { return nil }
        return FormQuantity(
            value: self["value"]?.numberText.flatMap(FormDecimal.init), comparator: self["comparator"]?.text(of: .code),
            unit: self["unit"]?.text, system: self["system"]?.text(of: .uri), code: self["code"]?.text(of: .code))
    }

    private var reference: FormReference? {
        guard !entries.isEmpty else { return nil }
        return FormReference(
            reference: self["reference"]?.text, type: self["type"]?.text(of: .uri), display: self["display"]?.text)
    }
}

extension FHIRNode {
    /// A value with its key, like `"valueString": "Anna"`.
    static func entry(_ value: FormValue) -> Entry { Entry(key: value.fhirElement, value: FHIRNode(content(value))) }

    private static func content(_ value: FormValue) -> Content {
        switch value {
        case .boolean(let value): .boolean(value)
        case .decimal(let decimal): .number(decimal.text)
        case .integer(let value): .number(String(value))
        case .date(let date): .string(date.text)
        case .dateTime(let moment): .string(moment.text)
        case .time(let time): .string(time.text)
        case .string(let text), .uri(let text): .string(text)
        case .coding(let coding): content(coding)
        case .quantity(let quantity): content(quantity)
        case .reference(let reference):
            object([("reference", reference.reference), ("type", reference.type), ("display", reference.display)])
        case .attachment(let attachment): content(attachment)
        }
    }

    private static func content(_ coding: FormCoding) -> Content {
        object([
            ("system", coding.system), ("version", coding.version), ("code", coding.code), ("display", coding.display),
        ])
    }

    private static func content(_ quantity: FormQuantity) -> Content {
        let value = quantity.value.map { [Entry(key: "value", value: FHIRNode(.number($0.text)))] } ?? []
        let rest = FHIRNode(
            object([
                ("comparator", quantity.comparator), ("unit", quantity.unit), ("system", quantity.system),
                ("code", quantity.code),
            ]))
        return .object(value + rest.entries)
    }

    /// The attachment with the digest of its bytes, never with the bytes.
    private static func content(_ attachment: FormAttachment) -> Content {
        let before = FHIRNode(object([("contentType", attachment.mediaType), ("url", attachment.digest.urn)]))
        let size = Entry(key: "size", value: FHIRNode(.number(String(attachment.byteCount))))
        let after = FHIRNode(object([("title", attachment.title), ("creation", attachment.creation)]))
        return .object(before.entries + [size] + after.entries)
    }

    private static func object(_ texts: [(key: String, text: String?)]) -> Content {
        .object(texts.compactMap { key, text in text.map { Entry(key, $0) } })
    }
}
