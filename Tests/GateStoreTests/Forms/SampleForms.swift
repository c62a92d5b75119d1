import GateCore
import GateForms
import GateModel

extension FormDraftKey {
    static let annasConsent = FormDraftKey(holder: .account("anna"), name: "consent")
    static let annasOtherConsent = FormDraftKey(holder: .account("anna"), name: "consent", id: 1)
    static let usersConsent = FormDraftKey(holder: .user(1000), name: "consent")
}

extension FormPath {
    static let driversName = FormPath([Step("driver", 1), Step("driver-name")])
}

extension AttachmentDigest {
    /// A digest of 32 bytes whose first byte is this one.
    static func sample(_ byte: UInt8) -> AttachmentDigest? {
        AttachmentDigest(bytes: [byte] + Array(repeating: 7, count: byteCount - 1))
    }
}

/// Answers of every type.
enum SampleAnswers {
    static let all: [[FormValue]] = {
        let text = "It's \"1 < 2\"; -- \\ / \n\t\u{2028} zoë zoe\u{308} 家族 🔑"
        var answers: [[FormValue]] = [
            [.boolean(true)], [.boolean(false)], [.integer(.min)], [.integer(.max), .integer(0)], [.string("x")],
            [.string(text)], [.uri("urn:oid:1.2.3")],
            [.coding(FormCoding(system: "https://example.org/s", version: "2", code: "K", display: text))],
            [.coding(FormCoding(code: "a")), .coding(FormCoding(display: "b"))],
            [.reference(FormReference(reference: "Patient/17", type: "Patient", display: "Ben"))],
        ]
        for decimal in ["0", "1.50", "-0.001", "12345678901234567890.123456789"].compactMap(FormDecimal.init) {
            answers.append([.decimal(decimal)])
            answers.append([
                .quantity(
                    FormQuantity(
                        value: decimal, comparator: "<=", unit: "kW", system: "http://unitsofmeasure.org", code: "kW"))
            ])
            answers.append([.quantity(FormQuantity(value: decimal))])
        }
        answers += ["2016", "2016-02", "2016-02-29"].compactMap(FormDate.init).map { [.date($0)] }
        answers += ["2016-02-29T23:59:60Z", "2016-02-29T10:00:00.125+02:00", "2016"].compactMap(FormDateTime.init)
            .map { [.dateTime($0)] }
        answers += ["00:00:00", "23:59:59.5"].compactMap(FormTime.init).map { [.time($0)] }
        if let digest = AttachmentDigest.sample(1), let other = AttachmentDigest.sample(2) {
            answers.append([
                .attachment(
                    FormAttachment(
                        mediaType: "image/png", title: text, byteCount: 3, digest: digest,
                        creation: "2016-02-29T10:00:00Z")),
                .attachment(FormAttachment(mediaType: nil, byteCount: 0, digest: other)),
            ])
        }
        return answers
    }()

    /// A response with all of them, in groups and below one another.
    static var response: QuestionnaireResponse {
        let questions = all.enumerated().map { index, values in
            QuestionnaireResponseItem(
                linkID: "q-\(index)", text: "Question \(index)?",
                answers: values.map {
                    QuestionnaireResponseAnswer(
                        $0,
                        items: [QuestionnaireResponseItem(linkID: "below", answers: [QuestionnaireResponseAnswer($0)])])
                })
        }
        return QuestionnaireResponse(
            questionnaire: "https://example.org/consent|2", status: .completed, authored: "2026-01-01T00:00:00Z",
            items: [
                QuestionnaireResponseItem(linkID: "group", text: "Group", items: questions),
                QuestionnaireResponseItem(linkID: "empty"),
            ])
    }
}

extension ResponseRecord {
    static let annasConsent = ResponseRecord(
        summary: ResponseSummary(
            id: 1, name: "consent", version: "2", holder: .account("anna"), status: .completed,
            savedAt: WallTime(unixMilliseconds: 1_767_225_600_000)),
        response: SampleAnswers.response)
}

extension PartRecord {
    static let annasPerson = PartRecord(
        summary: PartSummary(
            id: 1, holder: .account("anna"), definition: "https://example.org/person", label: "Anna", isNamed: true,
            savedAt: WallTime(unixMilliseconds: 1_767_225_600_000)),
        content: QuestionnaireResponseItem(
            linkID: "holder", definition: "https://example.org/person", text: "Holder",
            items: SampleAnswers.response.items[0].items
                + [
                    QuestionnaireResponseItem(
                        linkID: "name", definition: "https://example.org/name",
                        answers: [QuestionnaireResponseAnswer(.string("Anna"))])
                ]))
}

extension FormDescription {
    /// A form that an app of this user brought.
    static func appsPlan(of uid: UInt32, version: Int) -> FormDescription {
        let json = """
            {"resourceType":"Questionnaire","id":"plan","status":"active","version":"\(version)","title":"Zoë's plan",\
            "item":[{"linkId":"monday","type":"string","text":"Monday?"}]}
            """
        guard let node = try? FHIRNode(json: Array(json.utf8)),
            var form = QuestionnaireReader(fallbackName: "plan").form(node).form
        else { preconditionFailure("it is a form") }
        form.questionnaire.name = AppsOwnName("plan", of: uid).text
        return form
    }
}

/// Random changes of forms and release notes.
extension RecordChanges {
    mutating func nextOfForms() -> RecordChange {
        switch random.number(below: 18) {
        case 0, 1:
            .draftSet(
                draftKey(),
                FormDraftRecord(
                    revision: UInt64(1 + random.number(below: 99)), openedAt: time(),
                    label: random.number(below: 3) == 0 ? name() : ""))
        case 2: .draftRemoved(draftKey())
        case 3, 4, 5: .draftRowSet(draftKey(), path(), formRow())
        case 6: .draftRowRemoved(draftKey(), path())
        case 7: .responseSet(response())
        case 8: .responseRemoved(UInt64(1 + random.number(below: 9)))
        case 14: .partSet(part())
        case 15: .partRemoved(UInt64(1 + random.number(below: 9)))
        case 16: .appFormSet(.appsPlan(of: UInt32(random.number(below: 3)), version: random.number(below: 3)))
        case 17: .appFormRemoved(name: AppsOwnName("plan", of: UInt32(random.number(below: 3))).text)
        case 9: .nextResponseSet(UInt64(1 + random.number(below: 1000)))
        case 10: attachment().map { .attachmentStored($0, bytes()) } ?? .nextResponseSet(1)
        case 11: attachment().map { .attachmentRemoved($0) } ?? .nextResponseSet(2)
        case 12: .whatsNewSeen(WhatsNewKey(holder: holder(), app: name()), version())
        case _ where random.number(below: 3) > 0:
            .whatsNewSeen(WhatsNewKey(holder: holder(), app: name()), version())
        case _: .whatsNewForgotten(WhatsNewKey(holder: holder(), app: name()))
        }
    }

    private mutating func holder() -> FormHolder {
        random.number(below: 3) == 0 ? .user([0, 1000, .max][random.number(below: 3)]) : .account(name())
    }

    private mutating func draftKey() -> FormDraftKey {
        FormDraftKey(
            holder: holder(), name: random.number(below: 2) == 0 ? "consent" : name(),
            id: UInt64(random.number(below: 3)))
    }

    private mutating func path() -> FormPath {
        let linkIDs = ["K", "\u{212A}", "zoë", "zoe\u{308}", "1.a;", "1.a\u{37E}", "a b"]
        let steps = (0...random.number(below: 3)).map { _ in
            FormPath.Step(
                linkIDs[random.number(below: linkIDs.count)],
                random.number(below: 2) == 0 ? nil : random.number(below: 3) * 4999)
        }
        return FormPath(steps)
    }

    private mutating func formRow() -> FormRow {
        guard random.number(below: 4) > 0 else { return .instances(random.number(below: 4)) }
        return .answers(SampleAnswers.all[random.number(below: SampleAnswers.all.count)])
    }

    private mutating func response() -> ResponseRecord {
        let statuses = QuestionnaireResponse.Status.allCases
        var record = ResponseRecord.annasConsent
        record.summary.id = UInt64(1 + random.number(below: 9))
        record.summary.holder = holder()
        record.summary.name = name()
        record.summary.version = random.number(below: 2) == 0 ? nil : name()
        record.summary.status = statuses[random.number(below: statuses.count)]
        record.summary.label = random.number(below: 2) == 0 ? "" : name()
        record.response.status = statuses[random.number(below: statuses.count)]
        record.response.authored = random.number(below: 2) == 0 ? nil : "2026-02-03T04:05:06Z"
        record.response.items.removeFirst(random.number(below: 2))
        return record
    }

    private mutating func part() -> PartRecord {
        var part = PartRecord.annasPerson
        part.summary.id = UInt64(1 + random.number(below: 9))
        part.summary.holder = holder()
        part.summary.label = name()
        part.summary.isNamed = random.number(below: 2) == 0
        part.summary.savedAt = time()
        part.content.items.removeFirst(random.number(below: 3))
        return part
    }

    private mutating func attachment() -> AttachmentDigest? { .sample(UInt8(random.number(below: 5))) }

    private mutating func bytes() -> [UInt8] {
        (0..<random.number(below: 3) * 5000).map { UInt8(truncatingIfNeeded: $0) }
    }

    private mutating func version() -> AppVersion {
        AppVersion(
            UInt32(random.number(below: 3)), UInt32(random.number(below: 2)), [0, .max][random.number(below: 2)])
    }
}

/// Tests name a change without its subject.
extension RecordChange {
    static func draftSet(_ key: FormDraftKey, _ draft: FormDraftRecord) -> RecordChange {
        .forms(.draftSet(key, draft))
    }
    static func draftRemoved(_ key: FormDraftKey) -> RecordChange { .forms(.draftRemoved(key)) }
    static func draftRowSet(_ key: FormDraftKey, _ path: FormPath, _ row: FormRow) -> RecordChange {
        .forms(.draftRowSet(key, path, row))
    }
    static func draftRowRemoved(_ key: FormDraftKey, _ path: FormPath) -> RecordChange {
        .forms(.draftRowRemoved(key, path))
    }
    static func responseSet(_ record: ResponseRecord) -> RecordChange { .forms(.responseSet(record)) }
    static func responseRemoved(_ id: UInt64) -> RecordChange { .forms(.responseRemoved(id)) }
    static func nextResponseSet(_ id: UInt64) -> RecordChange { .forms(.nextResponseSet(id)) }
    static func partSet(_ part: PartRecord) -> RecordChange { .forms(.partSet(part)) }
    static func partRemoved(_ id: UInt64) -> RecordChange { .forms(.partRemoved(id)) }
    static func appFormSet(_ form: FormDescription) -> RecordChange { .forms(.appFormSet(form)) }
    static func appFormRemoved(name: String) -> RecordChange { .forms(.appFormRemoved(name: name)) }
    static func attachmentStored(_ digest: AttachmentDigest, _ bytes: [UInt8]) -> RecordChange {
        .forms(.attachmentStored(digest, bytes))
    }
    static func attachmentRemoved(_ digest: AttachmentDigest) -> RecordChange { .forms(.attachmentRemoved(digest)) }
}
