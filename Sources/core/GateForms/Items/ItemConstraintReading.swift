import GateExpressions
import GateModel

extension QuestionnaireReading {
    /// R4's `maxLength`, and the extensions for pattern, mask, format, limits, sizes, media types, units, references.
    mutating func constraints(
        of item: ItemInReading, _ extensions: FoundExtensions, repeats: Bool, in scope: ExpressionScope
    ) -> QuestionnaireItemConstraints {
        var constraints = QuestionnaireItemConstraints()
        guard let kind = item.kind else { return constraints }
        constraints.textPattern = pattern(of: item, extensions)
        constraints.textMask = mask(of: item, extensions)
        if let found = suitable(.entryFormat, extensions, item, kind.isQuestion),
            let format = translations.text("valueString", of: found.node, found.position, among: .none, &findings)
        {
            if format.text.utf8.count > FormsLimits.entryFormatBytes {
                wrong(
                    item.position, item.node.place,
                    "'entryFormat' is longer than \(FormsLimits.entryFormatBytes) bytes.")
            }
            constraints.entryFormats = format
        }
        constraints.minimum = limit([.minValue, .minQuantity], extensions, item)
        constraints.maximum = limit([.maxValue, .maxQuantity], extensions, item)
        constraints.minimumExpression = limitExpression(.minValue, extensions, item, scope)
        constraints.maximumExpression = limitExpression(.maxValue, extensions, item, scope)
        constraints.minimumLength = count(.minLength, extensions, item, kind.isText, from: 0)
        if let said = item.node["_maxLength"], said["extension"] != nil {
            wrong(
                item.position, said.place,
                "Gate does not read '_maxLength', so it would apply another rule than the form has. Write "
                    + "the number itself.")
        }
        constraints.maximumLength = item.node["maxLength"]?.integer.map(Int.init)
        constraints.maximumDecimalPlaces = count(
            .maxDecimalPlaces, extensions, item, kind == .decimal || kind == .quantity, from: 0)
        let mayRepeat = kind == .group || kind.isQuestion
        constraints.minimumOccurs = count(.minOccurs, extensions, item, mayRepeat, from: 0, to: FormsLimits.occurs)
        constraints.maximumOccurs = count(.maxOccurs, extensions, item, mayRepeat, from: 1)
        constraints.maximumBytes = maximumBytes(of: item, extensions)
        constraints.mediaTypes = mediaTypes(of: item, extensions)
        constraints.units = units(of: item, extensions)
        constraints.referenceTypes = referenceTypes(of: item, extensions)
        checkOrder(constraints, item, repeats: repeats)
        return constraints
    }

    // MARK: - One by one

    private mutating func pattern(of item: ItemInReading, _ extensions: FoundExtensions) -> TextPattern? {
        guard let found = suitable(.regex, extensions, item, item.kind?.isText ?? false), let source = found.value.text
        else { return nil }
        if let pattern = patterns[source] { return pattern }
        guard hasRoomForPatterns(1, found.value, found.position) else { return nil }
        do throws(TextPattern.Mistake) {
            let pattern = try TextPattern(source)
            patterns[source] = pattern
            return pattern
        } catch {
            wrong(
                found.position, found.value.place,
                "The regular expression is wrong at character \(error.offset + 1): \(error.message)")
            return nil
        }
    }

    private mutating func mask(of item: ItemInReading, _ extensions: FoundExtensions) -> TextMask? {
        guard let found = suitable(.mask, extensions, item, item.kind == .string || item.kind == .openChoice),
            let source = found.value.text
        else { return nil }
        do throws(TextMask.Mistake) {
            return try TextMask(source)
        } catch {
            wrong(found.position, found.value.place, error.message)
            return nil
        }
    }

    /// Whether the form may have `count` more regular expressions; if not, that is reported.
    mutating func hasRoomForPatterns(_ count: Int, _ node: FHIRNode, _ position: FormPosition) -> Bool {
        guard patterns.count + expressionPatternCount + count > FormsLimits.patterns else { return true }
        wrong(position, node.place, "A form has at most \(FormsLimits.patterns) different regular expressions.")
        return false
    }

    /// - Parameter names: extensions that set the same limit. An item may have one of them.
    private mutating func limit(_ names: [FormExtension], _ extensions: FoundExtensions, _ item: ItemInReading)
        -> FormValue?
    {
        let there = names.filter { extensions[$0] != nil }
        if there.count > 1, let found = extensions[there[1]]?.first {
            wrong(
                found.position, found.node.place,
                "'\(there[0].rawValue)' says the same limit as '\(there[1].rawValue)'. Keep one of them.")
        }
        return there.first.flatMap { limit($0, extensions, item) }
    }

    private mutating func limit(_ which: FormExtension, _ extensions: FoundExtensions, _ item: ItemInReading)
        -> FormValue?
    {
        let isForQuantities = which == .minQuantity || which == .maxQuantity
        guard let kind = item.kind,
            let found = suitable(which, extensions, item, isForQuantities ? kind == .quantity : kind.isOrdered),
            !found.isExpression
        else { return nil }
        let wrapped = FHIRNode(.object([FHIRNode.Entry(key: "value\(found.type)", value: found.value)]))
        switch (kind, wrapped.choice("value")?.value) {
        case (.decimal, .integer(let number)?): return .decimal(FormDecimal(Int(number)))
        case (.dateTime, .date(let date)?): return .dateTime(FormDateTime(date))
        case (_, let value) where kind.valueTypes.contains(found.type): return value
        default:
            wrong(
                found.position, found.value.place,
                "'\(which.rawValue)' is of the item's own type: 'value\(kind.valueTypes[0])', not 'value\(found.type)'."
            )
            return nil
        }
    }

    private mutating func limitExpression(
        _ which: FormExtension, _ extensions: FoundExtensions, _ item: ItemInReading, _ scope: ExpressionScope
    ) -> String? {
        guard let kind = item.kind, let found = extensions[which]?.first, found.isExpression, kind.isOrdered else {
            return nil
        }
        guard kind.valueTypes.contains(found.type) else {
            wrong(
                found.position, found.value.place,
                "'\(which.rawValue)' is of the item's own type: '_value\(kind.valueTypes[0])', not '_value\(found.type)'."
            )
            return nil
        }
        guard let (source, node) = source(of: found.value, found.position),
            reads(of: source, node, found.position, in: scope) != nil
        else { return nil }
        return source
    }

    private mutating func count(
        _ which: FormExtension, _ extensions: FoundExtensions, _ item: ItemInReading, _ isSuitable: Bool,
        from least: Int, to most: Int = Int(Int32.max)
    ) -> Int? {
        guard let found = suitable(which, extensions, item, isSuitable), let number = found.value.integer else {
            return nil
        }
        guard (least...most).contains(Int(number)) else {
            let upTo = most < Int32.max ? " and at most \(most)" : ""
            wrong(
                found.position, found.value.place,
                "'\(which.rawValue)' is \(least) or more\(upTo), not \(number). Correct it.")
            return nil
        }
        return Int(number)
    }

    /// In bytes. 'maxSize' is in megabytes.
    private mutating func maximumBytes(of item: ItemInReading, _ extensions: FoundExtensions) -> Int? {
        guard let found = suitable(.maxSize, extensions, item, item.kind == .attachment),
            let megabytes = found.value.numberText.flatMap(FormDecimal.init).flatMap({ Double($0.text) })
        else { return nil }
        let bytes = (megabytes * 1_000_000).rounded()
        guard bytes >= 1 else {
            wrong(found.position, found.value.place, "'maxSize' is in megabytes, and more than nothing.")
            return nil
        }
        guard bytes <= Double(FormsLimits.attachmentBytes) else {
            warn(
                found.position, found.value.place,
                "No attachment is larger than \(FormsLimits.attachmentBytes >> 20) MiB, whatever 'maxSize' says.")
            return FormsLimits.attachmentBytes
        }
        return Int(bytes)
    }

    private mutating func mediaTypes(of item: ItemInReading, _ extensions: FoundExtensions) -> [String] {
        guard suitable(.mimeType, extensions, item, item.kind == .attachment) != nil else { return [] }
        var mediaTypes: [String] = []
        for found in extensions[.mimeType] ?? [] {
            guard let text = found.value.text else { continue }
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            if parts.count != 2 || parts.contains(where: \.isEmpty) || text.contains(" ") {
                wrong(found.position, found.value.place, "'\(text.shortened)' is no media type, like 'image/png'.")
            }
            mediaTypes.append(text)
        }
        return within(FormsLimits.choices, mediaTypes, "media types", item)
    }

    private mutating func referenceTypes(of item: ItemInReading, _ extensions: FoundExtensions) -> [String] {
        guard suitable(.referenceResource, extensions, item, item.kind == .reference) != nil else { return [] }
        var types: [String] = []
        for found in extensions[.referenceResource] ?? [] {
            guard let text = found.value.text else { continue }
            if !AddressText.isType(text) {
                wrong(found.position, found.value.place, "'\(text.shortened)' is no type of resource, like 'Patient'.")
            }
            types.append(text)
        }
        return within(FormsLimits.choices, types, "types of resource", item)
    }

    private mutating func units(of item: ItemInReading, _ extensions: FoundExtensions) -> [FormCoding] {
        var units: [FormCoding] = []
        for which in [FormExtension.unit, .unitOption]
        where suitable(which, extensions, item, item.kind == .quantity) != nil {
            units += (extensions[which] ?? []).compactMap(\.value.coding)
        }
        if let found = suitable(.unitValueSet, extensions, item, item.kind == .quantity) {
            for option in options(in: found.value, found.position) {
                if case .coding(let unit) = option.value { units.append(unit) }
            }
        }
        return within(FormsLimits.choices, units, "units", item)
    }

    private mutating func within<Element>(_ limit: Int, _ list: [Element], _ noun: String, _ item: ItemInReading)
        -> [Element]
    {
        if list.count > limit { wrong(item.position, item.node.place, "An item has at most \(limit) \(noun).") }
        return list
    }

    /// `nil` if the form does not say.
    mutating func isInOneLine(_ item: ItemInReading, _ extensions: FoundExtensions) -> Bool? {
        suitable(.oneLine, extensions, item, item.kind == .group)?.value.boolean
    }

    // MARK: - What goes with what

    /// The first extension of this kind; `nil` if there is none, or if this item has no use for it, which is reported.
    mutating func suitable(
        _ which: FormExtension, _ extensions: FoundExtensions, _ item: ItemInReading, _ isSuitable: Bool
    ) -> FoundExtension? {
        guard let found = extensions[which]?.first else { return nil }
        if !isSuitable {
            wrong(found.position, found.value.place, "\(item.noun) has no use for '\(which.rawValue)'. Leave it out.")
        }
        return isSuitable ? found : nil
    }

    /// Reports a unit that can't be compared with that of a limit: nothing could be answered in it.
    private mutating func checkUnits(
        _ constraints: QuestionnaireItemConstraints, _ item: ItemInReading, _ place: FHIRNode.Place?
    ) {
        for case .quantity(let limit)? in [constraints.minimum, constraints.maximum] {
            for unit in constraints.units {
                let offered = FormQuantity(unit: unit.display, system: unit.system, code: unit.code)
                guard !offered.hasComparableUnit(to: limit) else { continue }
                wrong(
                    item.position, place,
                    "The unit '\((unit.display ?? unit.code ?? "").shortened)' can't be compared with "
                        + "'\((limit.unit ?? limit.code ?? "").shortened)' of a limit. Give the limit in a unit of UCUM, "
                        + "with its code, or leave the unit out.")
            }
        }
    }

    private mutating func checkOrder(_ constraints: QuestionnaireItemConstraints, _ item: ItemInReading, repeats: Bool)
    {
        let place = item.node["extension"]?.place ?? item.node.place
        if let least = constraints.minimum, let most = constraints.maximum, let order = least.order(by: most), order > 0
        {
            wrong(item.position, place, "'minValue' is more than 'maxValue'. Nothing could be answered.")
        }
        checkUnits(constraints, item, place)
        if let least = constraints.minimumLength, let most = constraints.maximumLength, least > most {
            wrong(item.position, place, "'minLength' is more than 'maxLength'. Nothing could be answered.")
        }
        if let length = constraints.textMask?.length,
            length < constraints.minimumLength ?? 0 || length > constraints.maximumLength ?? .max
        {
            wrong(
                item.position, place,
                "What fits the 'mask' has \(length) characters, which 'minLength' or 'maxLength' does not allow. Nothing could be "
                    + "answered: leave them out.")
        }
        if let least = constraints.minimumOccurs, let most = constraints.maximumOccurs, least > most {
            wrong(
                item.position, place,
                "'questionnaire-minOccurs' is more than 'questionnaire-maxOccurs'. Nothing could be answered.")
        }
        if !repeats, max(constraints.minimumOccurs ?? 0, constraints.maximumOccurs ?? 0) > 1 {
            wrong(item.position, place, "An item that may be there several times needs 'repeats'. Add it.")
        }
    }
}
