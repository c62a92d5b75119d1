import GateModel

/// Texts in several languages in a form that is written by hand: `text: {en: Pets, de: Haustiere}`, as in the policy.
/// FHIR has an extension for each other language beside the text, which nobody likes to type.
extension FHIRNode {
    /// The same resource with these texts in FHIR's form. Everything else stays as it is.
    public var withWrittenLanguages: FHIRNode {
        spelledOut(default: self["language"]?.text)
    }

    /// The elements that have a text for people. `text` is one only in an item: elsewhere it is a narrative.
    private static let textKeys: Set = ["title", "description", "text", "prefix", "display", "valueString"]

    private func spelledOut(default language: String?) -> FHIRNode {
        switch content {
        case .array(let elements):
            return FHIRNode(.array(elements.map { $0.spelledOut(default: language) }), place: place)
        case .object(let entries):
            let spelled = entries.flatMap { spelledOut($0, default: language) }
            return FHIRNode(.object(spelled), place: place)
        case .string, .number, .boolean, .null, .plain: return self
        }
    }

    private func spelledOut(_ entry: Entry, default language: String?) -> [Entry] {
        let isText = Self.textKeys.contains(entry.key) && (entry.key != "text" || self["linkId"] != nil)
        guard isText, self["_\(entry.key)"] == nil, let texts = entry.value.writtenTexts else {
            return [
                Entry(key: entry.key, keyPlace: entry.keyPlace, value: entry.value.spelledOut(default: language))
            ]
        }
        let languages = texts.map(\.key)
        let best = LanguageTag.bestFit(for: [language, "en"].compactMap(\.self), among: languages) ?? 0
        let others = texts.filter { $0.key.lowercased() != language?.lowercased() }
        let text = Entry(key: entry.key, keyPlace: entry.keyPlace, value: texts[best].value)
        guard !others.isEmpty else { return [text] }
        let extensions = others.map { FHIRNode.translation($0.key, $0.value, at: $0.keyPlace) }
        let sibling = FHIRNode(
            .object([Entry(key: "extension", value: FHIRNode(.array(extensions), place: entry.value.place))]),
            place: entry.value.place)
        return [text, Entry(key: "_\(entry.key)", keyPlace: entry.keyPlace, value: sibling)]
    }

    /// The texts by their languages; `nil` if this is something else.
    private var writtenTexts: [Entry]? {
        guard !entries.isEmpty, entries.allSatisfy({ $0.key.isShortLanguageTag && $0.value.text != nil }) else {
            return nil
        }
        return entries
    }

    private static func translation(_ language: String, _ text: FHIRNode, at place: Place?) -> FHIRNode {
        func entry(_ key: String, _ value: Content) -> Entry { Entry(key: key, value: FHIRNode(value, place: place)) }
        func part(_ url: String, _ value: Entry) -> FHIRNode {
            FHIRNode(.object([entry("url", .string(url)), value]), place: place)
        }
        return FHIRNode(
            .object([
                entry("url", .string(TranslationReading.url)),
                entry(
                    "extension",
                    .array([
                        part("lang", entry("valueCode", .string(language))),
                        part("content", Entry(key: "valueString", value: text)),
                    ])),
            ]), place: place)
    }
}

extension String {
    /// Like `en` or `zh-CN`. Longer languages could be keys of FHIR's, such as `code` or `system`.
    fileprivate var isShortLanguageTag: Bool {
        (2...3).contains(prefix { $0 != "-" }.utf8.count) && LanguageTag.isTag(self)
    }
}
