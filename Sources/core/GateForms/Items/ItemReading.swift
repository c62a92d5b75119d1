import GateModel

/// What is around an item that is being read.
struct ItemContext {
    /// The linkId of the item around it.
    var parent: String?
    /// The number of times that the item around it exists when the form is opened.
    var count = 1
    /// The bytes of the longest path to the items around it that repeat, each with its index.
    var pathByteCount = 0
    /// The names that expressions around it may use.
    var scope = ExpressionScope()
    var isReadOnly = false
}

struct ItemInReading {
    let node: FHIRNode
    /// The linkId; empty if the item has none, which was reported.
    let linkID: String
    /// The type of the item; `nil` if it names no type that FHIR has, which was reported.
    let kind: QuestionnaireItem.Kind?
    let position: FormPosition

    /// For a sentence: "An item of type 'choice'".
    var noun: String { "An item of type '\(kind?.rawValue ?? "")'" }
}

extension QuestionnaireReading {
    mutating func items(of node: FHIRNode, _ position: FormPosition, _ around: ItemContext)
        -> [QuestionnaireItem]
    {
        var items: [QuestionnaireItem] = []
        for (index, element) in (node["item"]?.elements ?? []).enumerated() {
            items.append(item(element, position.below("item", index), around))
        }
        return items
    }

    private mutating func item(_ node: FHIRNode, _ position: FormPosition, _ around: ItemContext)
        -> QuestionnaireItem
    {
        let linkID = node["linkId"]?.text ?? ""
        let item = ItemInReading(
            node: node, linkID: linkID, kind: kind(node, position, linkID),
            position: FormPosition(path: position.path, linkID: linkID.isEmpty ? nil : linkID))
        checkLinkID(item, around)
        checkShape(item)
        if let parent = around.parent { dependencies.contain(item.linkID, in: parent) }

        let extensions = extensions(of: node, .item, item.position)
        let repeats = node["repeats"]?.boolean ?? false
        let isReadOnly = around.isReadOnly || node["readOnly"]?.boolean ?? false
        let outer = ExpressionScope(linkID: linkID, variables: around.scope.variables)
        var scope = outer
        let variables = variables(extensions, in: &scope)
        var constraints = constraints(of: item, extensions, repeats: repeats, in: scope)
        constraints.unknownValueSet = unknownValueSet(of: item, extensions)
        let options = options(of: item, repeats: repeats)
        checkMask(constraints.textMask, of: options, item)
        var read = QuestionnaireItem(
            linkID: linkID, kind: item.kind ?? .display, definition: definition(of: item),
            prefix: translations.text("prefix", of: node, item.position, &findings),
            text: translations.text("text", of: node, item.position, &findings),
            enableWhen: conditions(of: item), enableBehavior: enableBehavior(of: item),
            isRequired: node["required"]?.boolean ?? false, repeats: repeats,
            isReadOnly: node["readOnly"]?.boolean ?? false,
            isHidden: extensions[.hidden]?.first?.value.boolean ?? false,
            isInOneLine: isInOneLine(item, extensions), options: options, constraints: constraints,
            parents: parents(of: item, extensions), invariants: invariants(extensions, in: scope),
            expressions: expressions(
                of: item, extensions, outer: outer, in: scope, options: options, isReadOnly: isReadOnly))
        read.expressions.variables = variables
        read.initial = initial(of: item, read)

        let isRepeatedGroup = item.kind == .group && repeats
        let times = isRepeatedGroup ? max(1, constraints.minimumOccurs ?? 1) : 1
        let count = min(around.count * times, FormsLimits.items + 1)
        openingCount = min(openingCount + count, FormsLimits.items + 1)
        read.items = items(
            of: node, item.position,
            ItemContext(
                parent: linkID.isEmpty ? around.parent : linkID, count: count,
                pathByteCount: around.pathByteCount + (repeats ? Self.pathByteCount(of: item) : 0), scope: scope,
                isReadOnly: isReadOnly))
        return read
    }

    // MARK: - Its name and type

    /// The bytes of its step in a path, like "driver[9999]/".
    private static func pathByteCount(of item: ItemInReading) -> Int { item.linkID.utf8.count + 7 }

    private mutating func checkLinkID(_ item: ItemInReading, _ around: ItemContext) {
        let place = item.node["linkId"]?.place
        guard !item.linkID.isEmpty else { return }
        // FHIR's rule que-2.
        if let first = directory[item.linkID]?.place, first != place {
            wrong(
                item.position, place,
                "The linkId '\(item.linkID.shortened)' is there twice, first in line \(first.line). "
                    + "Give each item its own.")
        } else if dependencies.knows(item.linkID) {
            wrong(item.position, place, "The linkId '\(item.linkID.shortened)' is there twice. Give each item its own.")
        }
        dependencies.enter(item.linkID)
        // By bytes, because a combining mark after a slash makes one character with it.
        if item.linkID.utf8.contains(where: { "/[]".utf8.contains($0) }) {
            wrong(
                item.position, place,
                "A linkId is without '/', '[' and ']', which have a meaning in paths. Write '-' or '.' instead.")
        }
        // linkIds are written without escapes in lines of text, and in the paths by which answers are stored.
        if item.linkID.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            wrong(
                item.position, place,
                "A linkId is without tabs, line ends and other control characters. Leave them out.")
        }
        if item.linkID.utf8.count > FormsLimits.linkIDBytes {
            wrong(item.position, place, "A linkId has at most \(FormsLimits.linkIDBytes) bytes. Shorten it.")
        } else if around.pathByteCount + Self.pathByteCount(of: item) > FormPath.maximumByteCount {
            wrong(
                item.position, place,
                "The path to this item has more than \(FormPath.maximumByteCount) bytes. Shorten the linkIds of what repeats "
                    + "around it.")
        }
    }

    private mutating func kind(_ node: FHIRNode, _ position: FormPosition, _ linkID: String) -> QuestionnaireItem.Kind?
    {
        guard let type = node["type"], let text = type.text(of: .code) else { return nil }
        if let kind = QuestionnaireItem.Kind(rawValue: text) { return kind }
        let position = FormPosition(path: position.path, linkID: linkID.isEmpty ? nil : linkID)
        switch text {
        case "question":
            wrong(
                position, type.place,
                "'question' is not a type that can be answered. Write the type of the answer, like 'string'.")
        case "coding": wrong(position, type.place, "'coding' is of a later FHIR. Write 'choice', or 'open-choice'.")
        default:
            wrong(
                position, type.place,
                "There is no type '\(text.shortened)'."
                    + NearestWord.question(text, among: QuestionnaireItem.Kind.allCases.map(\.rawValue)))
        }
        return nil
    }

    /// The URI of the item's meaning in any form; `nil` if there is none, or a wrong one, which is reported.
    private mutating func definition(of item: ItemInReading) -> String? {
        guard let node = item.node["definition"], let text = node.text(of: .uri) else { return nil }
        guard item.kind != .display else { return nil }
        guard text.utf8.count <= FormsLimits.definitionBytes else {
            wrong(
                item.position.below("definition"), node.place,
                "A 'definition' has at most \(FormsLimits.definitionBytes) bytes. Shorten it.")
            return nil
        }
        guard isAbsolute(text) else {
            wrong(
                item.position.below("definition"), node.place,
                "'definition' is a whole URI, like 'https://example.org/StructureDefinition/address', not '\(text.shortened)'."
            )
            return nil
        }
        return text
    }

    /// Whether it begins with a scheme, so that it means the same in every form.
    private func isAbsolute(_ text: String) -> Bool {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty, let first = parts[0].utf8.first else { return false }
        return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first | 0x20)
            && parts[0].utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.".utf8.contains(byte)
            }
            && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }

    // MARK: - What goes with what

    /// Checks FHIR's rules about one item alone, except those about options, initial values and conditions.
    private mutating func checkShape(_ item: ItemInReading) {
        guard let kind = item.kind else { return }
        let node = item.node
        // FHIR's rule que-1.
        if kind == .group, node["item"] == nil {
            wrong(item.position, node.place, "A group has items. Put some in, or make it a display.")
        }
        if kind == .display {
            refuse("item", of: item, "A display has no items. Make it a group.")
            // FHIR's rules que-3, que-6 and que-9.
            refuse("code", of: item, "A display has no code. Leave it out.")
            refuse("required", of: item, "A display can't be required. Leave it out.")
            refuse("repeats", of: item, "A display does not repeat. Leave it out.")
            refuse("readOnly", of: item, "A display is not read-only, as there is nothing to enter. Leave it out.")
        }
        // FHIR's rule que-10.
        switch kind {
        case .boolean, .decimal, .integer, .string, .text, .url, .openChoice: checkMaximumLength(item)
        case .group, .display, .date, .dateTime, .time, .choice, .attachment, .reference, .quantity:
            refuse("maxLength", of: item, "\(item.noun) has no 'maxLength'. Leave it out.")
        }
        if kind == .display, node["text"] == nil {
            warn(item.position, node.place, "This display shows nothing. Give it a text.")
        }
    }

    private mutating func checkMaximumLength(_ item: ItemInReading) {
        guard let node = item.node["maxLength"], let length = node.integer, length < 1 else { return }
        wrong(item.position.below("maxLength"), node.place, "'maxLength' is 1 or more, not \(length).")
    }

    mutating func refuse(_ key: String, of item: ItemInReading, _ message: String) {
        guard let entry = item.node.entries.first(where: { $0.key == key }) else { return }
        wrong(item.position.below(key), entry.keyPlace ?? entry.value.place, message)
    }
}
