import GateModel

/// Reads `release-notes.d`: what is new in an app, version by version. Each file is about one app.
extension PolicyDraft {
    static let releaseNotesKeys = ["app", "versions"]

    mutating func readReleaseNotes(_ root: PolicyNode) {
        guard let fields = PolicyFields(root, of: "release notes", keys: Self.releaseNotesKeys, &problems) else {
            return
        }
        let app = fields.value(needed: "app", "A file with release notes", &problems).flatMap { self.app($0) }
        let entries = fields.value(needed: "versions", "A file with release notes", &problems).map { versions($0) }
        guard let app, let entries else { return }
        configuration.releaseNotes[app] = ReleaseNotes(
            app: app, entries: entries.sorted { $0.version > $1.version })
    }

    private mutating func app(_ node: PolicyNode) -> String? {
        guard let app = node.text, WhatsNewNotice.isAppName(app) else {
            problems.add(
                "'app' is the name that the app has for Gate, letters, digits, dots, hyphens and underscores, like "
                    + "org.example.draw, not \(node.found).", kind: .value, at: node.place)
            return nil
        }
        guard let first = placeInLayer(of: "release notes \(app)") else {
            return isFirst("release notes \(app)", at: node.place) ? app : nil
        }
        problems.add(
            "There are release notes of '\(app)' already: \(first.file):\(first.line). Put them into one file.",
            kind: .duplicate, at: node.place)
        return nil
    }

    // MARK: - Versions

    private mutating func versions(_ node: PolicyNode) -> [WhatsNew] {
        guard case .mapping(let entries) = node.content, !entries.isEmpty else {
            problems.add(
                "'versions' are what is new, each under its version and a colon, like 1.2.0:, not "
                    + "\(node.isEmptyMapping ? "nothing" : node.found).", kind: .structure, at: node.place)
            return []
        }
        guard entries.count <= PolicyLimits.versions else {
            problems.add(
                "'versions' has \(entries.count) entries; at most \(PolicyLimits.versions) are read.", kind: .tooLong,
                parameters: ["maximum": "\(PolicyLimits.versions)"], at: node.place)
            return []
        }
        var lines: [AppVersion: Int] = [:]
        var news: [WhatsNew] = []
        for entry in entries {
            guard let version = AppVersion(entry.key) else {
                problems.add(
                    "'\(entry.key.shortened)' is no version. Write up to three numbers with dots between them, like 1.2.0.",
                    kind: .value, at: entry.keyPlace)
                continue
            }
            if let line = lines[version] {
                problems.add(
                    "Version \(version) is there already, in line \(line). Keep one of them.", kind: .duplicate,
                    at: entry.keyPlace)
            }
            lines[version] = lines[version] ?? entry.keyPlace.line
            if let entry = whatsNew(entry.value, in: version) { news.append(entry) }
        }
        return news
    }

    private mutating func whatsNew(_ node: PolicyNode, in version: AppVersion) -> WhatsNew? {
        let keys = ["title", "features", "primary", "secondary"]
        guard let fields = PolicyFields(node, of: "a version", keys: keys, &problems) else { return nil }
        let owner = "Version \(version)"
        let title = fields.value(needed: "title", owner, &problems)?.texts(
            of: "title", atMost: PolicyLimits.titleLength, &self)
        let list = fields.value(needed: "features", owner, &problems)?.filledList(
            of: "features", atMost: PolicyLimits.features, &problems)
        let features = list?.map { feature($0) }
        let primary = fields.section("primary").map { self.primary($0) } ?? Self.builtInPrimary
        let secondary = fields.section("secondary").map { self.secondary($0) }
        guard let title, let features, !features.contains(nil), let primary else { return nil }
        let entry = WhatsNew(
            version: version, title: title, features: features.compactMap(\.self), primary: primary,
            secondary: secondary ?? nil)
        guard entry.textCount <= PolicyLimits.textsOfVersion else {
            problems.add(
                "\(owner) has \(entry.textCount) texts, counted in each language; at most \(PolicyLimits.textsOfVersion) are "
                    + "shown.", kind: .tooLong, parameters: ["maximum": "\(PolicyLimits.textsOfVersion)"],
                at: node.place)
            return nil
        }
        return entry
    }

    private mutating func feature(_ node: PolicyNode) -> WhatsNew.Feature? {
        let keys = ["title", "subtitle", "image", "colour"]
        guard let fields = PolicyFields(node, of: "a feature", keys: keys, &problems) else { return nil }
        let title = fields.value(needed: "title", "A feature", &problems)?.texts(
            of: "title", atMost: PolicyLimits.titleLength, &self)
        let subtitle = fields.section("subtitle").flatMap {
            $0.texts(of: "subtitle", atMost: PolicyLimits.subtitleLength, &self)
        }
        let image = fields.section("image").flatMap {
            $0.line(of: "image", atMost: PolicyLimits.nameLength, &problems)
        }
        let colour = colour(fields)
        guard let title else { return nil }
        return WhatsNew.Feature(image: image ?? "", colour: colour, title: title, subtitle: subtitle ?? "")
    }

    // MARK: - Actions

    private static let builtInPrimary = WhatsNew.PrimaryAction(
        title: LocalizedText(WhatsNew.PrimaryAction.builtInTitle))

    private mutating func primary(_ node: PolicyNode) -> WhatsNew.PrimaryAction? {
        guard let fields = PolicyFields(node, of: "'primary'", keys: ["title", "haptic"], &problems) else { return nil }
        var action = Self.builtInPrimary
        action.haptic = haptic(fields)
        if let value = fields.value("title") {
            guard let title = value.texts(of: "title", atMost: PolicyLimits.titleLength, &self) else { return nil }
            action.titles = title
        }
        return action
    }

    private mutating func secondary(_ node: PolicyNode) -> WhatsNew.SecondaryAction? {
        let keys = ["title", "url", "colour", "haptic"]
        guard let fields = PolicyFields(node, of: "'secondary'", keys: keys, &problems) else { return nil }
        let title = fields.value(needed: "title", "'secondary'", &problems)?.texts(
            of: "title", atMost: PolicyLimits.titleLength, &self)
        let (haptic, colour) = (haptic(fields), colour(fields))
        var url: String?
        if let value = fields.value("url") {
            if let text = value.text, WebAddress.isLink(text) {
                url = text
            } else {
                problems.add(
                    "'url' is an address of the web, like https://example.org/new, not \(value.found).", kind: .value,
                    at: value.place
                )
            }
        }
        return title.map { WhatsNew.SecondaryAction(title: $0, haptic: haptic, colour: colour, url: url) }
    }

    private mutating func haptic(_ fields: PolicyFields) -> WhatsNew.Haptic {
        fields.value("haptic")?.word("haptic", &problems) ?? .none
    }

    private mutating func colour(_ fields: PolicyFields) -> String {
        guard let value = fields.value("colour") else { return "" }
        guard let text = value.text, WhatsNew.isColour(text) else {
            problems.add(
                "'colour' is written \"#3584e4\", in quotes: what comes after a bare # is a comment. This is "
                    + "\(value.found).", kind: .value, at: value.place)
            return ""
        }
        return text
    }
}

extension PolicyNode {
    fileprivate var isEmptyMapping: Bool { content == .mapping([]) }
}
