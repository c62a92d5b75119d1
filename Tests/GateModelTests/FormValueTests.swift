import GateModel
import Testing

@Suite("Answers of forms")
struct FormValueTests {
    /// One of each type, in FHIR's order.
    static func samples() throws -> [FormValue] {
        [
            .boolean(true), .decimal(try #require(FormDecimal("1.5"))), .integer(7),
            .date(try #require(FormDate("2024-05-17"))),
            .dateTime(try #require(FormDateTime("2024-05-17T10:30:00+02:00"))),
            .time(try #require(FormTime("10:30:00"))), .string("text"), .uri("https://example.org"),
            .coding(FormCoding(code: "red", display: "Red")), .quantity(try quantity("75", unit: "kW")),
            .reference(FormReference(reference: "Patient/17")), .attachment(try attachment()),
        ]
    }

    static func quantity(
        _ value: String, _ comparator: String? = nil, unit: String? = nil, system: String? = nil, code: String? = nil
    ) throws -> FormQuantity {
        let decimal: FormDecimal = try #require(FormDecimal(value))
        return FormQuantity(value: decimal, comparator: comparator, unit: unit, system: system, code: code)
    }

    static func attachment(
        firstByte: UInt8 = 0, title: String? = "passport.png", byteCount: Int = 120_000
    ) throws -> FormAttachment {
        let bytes = [firstByte] + [UInt8](repeating: 0xAB, count: 31)
        return FormAttachment(
            mediaType: "image/png", title: title, byteCount: byteCount,
            digest: try #require(AttachmentDigest(bytes: bytes)))
    }

    @Test("a value is the same as itself, and as no value of another type")
    func reflexive() throws {
        let samples = try Self.samples()
        for (place, sample) in samples.enumerated() {
            for (otherPlace, other) in samples.enumerated() where place != otherPlace {
                // Numbers are compared with numbers, and dates with moments.
                #expect(!sample.isSame(as: other), "\(sample) \(other)")
            }
            #expect(sample.isSame(as: sample))
            #expect(sample.compare(sample) == 0)
        }
    }

    @Test("a value is equal to itself alone, and has the hash of an equal one")
    func equality() throws {
        let samples = try Self.samples() + [.string("https://example.org"), .uri("text")]
        for (place, sample) in samples.enumerated() {
            for (otherPlace, other) in samples.enumerated() {
                #expect((sample == other) == (place == otherPlace), "\(sample) \(other)")
            }
        }
        #expect(Set(samples + samples).count == samples.count)
        // Parts of one text are no copies that share its storage.
        let parts = [String("a long text of its own".dropFirst()), String("- long text of its own".dropFirst())]
        #expect(FormValue.string(parts[0]) == .string(parts[1]))
        #expect(FormValue.string(parts[0]).hashValue == FormValue.string(parts[1]).hashValue)
    }

    @Test("texts and addresses are compared by their bytes: as equals, as answers, in order, and as keys")
    func bytes() {
        let (one, other) = ("caf\u{E9}", "cafe\u{301}")
        for (one, other) in [(FormValue.string(one), FormValue.string(other)), (.uri(one), .uri(other))] {
            #expect(one != other && !one.isSame(as: other) && one.compare(other) == 1 && other.compare(one) == -1)
            #expect(Set([one, other]).count == 2 && one.hashValue != other.hashValue)
        }
    }

    @Test("long rows of combining marks are compared in no time")
    func rowsOfMarks() {
        let row = (0..<200_000).map { $0.isMultiple(of: 2) ? "\u{315}" : "\u{301}" }.joined()
        let (one, same, other) = (
            FormValue.string("a\(row)"), FormValue.string("a\(row)"), FormValue.string("z\(row)é")
        )
        let took = ContinuousClock().measure {
            #expect((one == same) && (one != other) && !one.isSame(as: other) && one.compare(other) == -1)
            #expect(Set([one, same, other]).count == 2)
        }
        #expect(took < .seconds(10), "Swift's own comparison would take minutes")
    }

    @Test("each type has its name and its element in FHIR")
    func names() throws {
        let samples = try Self.samples()
        #expect(
            samples.map(\.fhirElement) == [
                "valueBoolean", "valueDecimal", "valueInteger", "valueDate", "valueDateTime", "valueTime",
                "valueString", "valueUri", "valueCoding", "valueQuantity", "valueReference", "valueAttachment",
            ])
        #expect(Set(samples.map(\.typeName)).count == samples.count)
        #expect(samples.allSatisfy { $0.typeName.hasPrefix("a") })
    }

    @Test("F-33: every answer has a text that a person reads")
    func displayTexts() throws {
        #expect(
            try Self.samples().map(\.displayText) == [
                "Yes", "1.5", "7", "2024-05-17", "2024-05-17 10:30 +02:00", "10:30", "text", "https://example.org",
                "Red", "75 kW", "Patient/17", "passport.png (120 kB)",
            ])
        #expect(FormValue.boolean(false).displayText == "No")
        #expect(FormCoding(system: "urn:x", code: "c").displayText == "c")
        #expect(try Self.quantity("5", "<", code: "mg").displayText == "< 5 mg")
        #expect(FormReference(reference: "Patient/17", display: "Anna").displayText == "Anna [Patient/17]")
        #expect(FormDateTime("2024-05-17T10:30:07.5Z")?.displayText == "2024-05-17 10:30:07.5 UTC")
        #expect(FormDateTime("2024-05")?.displayText == "2024-05")
        #expect(try Self.attachment(title: nil).displayText == "image/png (120 kB)")
    }

    @Test(
        "sizes are written with three digits that count at most",
        arguments: [
            (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1_000, "1 kB"), (1_049, "1 kB"), (1_050, "1.1 kB"),
            (1_500, "1.5 kB"), (99_950, "100 kB"), (120_400, "120 kB"), (99_949, "99.9 kB"), (999_499, "999 kB"),
            (999_500, "1 MB"),
            (2_440_000, "2.4 MB"), (3_145_728, "3.1 MB"),
        ])
    func sizes(_ byteCount: Int, _ text: String) {
        #expect(FormAttachment.sizeText(byteCount) == text)
    }

    @Test("numbers are the same however they are written, as integer or decimal")
    func numbers() throws {
        let one = FormValue.integer(18)
        let other = FormValue.decimal(try #require(FormDecimal("18.0")))
        #expect(one.isSame(as: other))
        #expect(other.isSame(as: one))
        #expect(one != other)
        #expect(FormValue.integer(-2_147_483_648).compare(.integer(2_147_483_647)) == -1)
        #expect(one.compare(.decimal(try #require(FormDecimal("18.5")))) == -1)
        #expect(one.compare(.string("18")) == nil)
    }

    @Test("a date and a moment compare as far as the date's precision allows")
    func dateAndMoment() throws {
        let date = FormValue.date(try #require(FormDate("2024-05-17")))
        let moment = FormValue.dateTime(try #require(FormDateTime("2024-05-18T01:00:00Z")))
        #expect(date.compare(moment) == -1)
        #expect(moment.compare(date) == 1)
        let sameDay = FormValue.dateTime(try #require(FormDateTime("2024-05-17T01:00:00Z")))
        #expect(date.compare(sameDay) == nil)
        #expect(!date.isSame(as: sameDay))
    }

    @Test("unordered values are the same or not, and have no order")
    func unordered() throws {
        #expect(FormValue.boolean(true).compare(.boolean(false)) == nil)
        #expect(!FormValue.boolean(true).isSame(as: .boolean(false)))
        let red = FormValue.coding(FormCoding(system: "urn:x", version: "1", code: "red", display: "Red"))
        #expect(red.isSame(as: .coding(FormCoding(system: "urn:x", version: "2", code: "red", display: "rouge"))))
        #expect(!red.isSame(as: .coding(FormCoding(system: "urn:y", code: "red", display: "Red"))))
        #expect(!red.isSame(as: .coding(FormCoding(system: "urn:x", display: "Red"))))
        #expect(red.compare(.coding(FormCoding(system: "urn:x", code: "blue"))) == nil)
        let anna = FormReference(reference: "Patient/17", display: "Anna")
        #expect(anna.isSame(as: FormReference(reference: "Patient/17")))
        #expect(!anna.isSame(as: FormReference(display: "Anna")))
        #expect(FormReference(display: "Anna").isSame(as: FormReference(display: "Anna")))
        #expect(
            FormValue.attachment(try Self.attachment(title: "a")).isSame(
                as: .attachment(try Self.attachment(title: "b"))))
        #expect(!FormValue.attachment(try Self.attachment()).isSame(as: .attachment(try Self.attachment(firstByte: 1))))
    }

    @Test("texts compare exactly, and upper case differs from lower case")
    func texts() {
        #expect(FormValue.string("a").compare(.string("b")) == -1)
        #expect(!FormValue.string("a").isSame(as: .string("A")))
        #expect(!FormValue.string("a").isSame(as: .string("a ")))
        #expect(!FormValue.string("a").isSame(as: .uri("a")))
        #expect(FormValue.uri("b").compare(.uri("a")) == 1)
    }

    @Test("quantities compare if their units are the same, by code or else by name")
    func quantityUnits() throws {
        let byCode = try Self.quantity("75", unit: "kilowatts", system: "urn:ucum", code: "kW")
        #expect(byCode.compare(try Self.quantity("75.0", unit: "kW", system: "urn:ucum", code: "kW")) == 0)
        #expect(byCode.compare(try Self.quantity("80", unit: "kilowatts")) == -1)
        #expect(byCode.compare(try Self.quantity("80", unit: "hp")) == nil)
        #expect(byCode.compare(try Self.quantity("80", system: "urn:other", code: "kW")) == nil)
        #expect(try Self.quantity("3").compare(try Self.quantity("2")) == 1)
        #expect(byCode.compare(FormQuantity(unit: "kilowatts")) == nil)
        #expect(byCode.isSame(as: try Self.quantity("75.00", unit: "kilowatts")))
        #expect(!byCode.isSame(as: try Self.quantity("75", "<", unit: "kilowatts")))
    }

    @Test(
        "a comparison of quantities with comparators gives a result only if it is certain",
        arguments: [
            ("<", "5", "", "5", -1), ("<=", "5", "", "5", nil), ("<", "5", "", "4", nil), (">", "5", "", "5", 1),
            (">=", "5", "", "5", nil), (">=", "5", "", "4", 1), (">", "5", "", "6", nil), ("<", "5", ">=", "5", -1),
            ("<=", "5", ">=", "5", nil), ("<=", "4", ">=", "5", -1), ("<", "5", "<", "6", nil),
            (">", "5", ">", "5", nil),
        ] as [(String, String, String, String, Int?)])
    func comparators(_ ours: String, _ left: String, _ theirs: String, _ right: String, _ expected: Int?) throws {
        let one = try Self.quantity(left, ours.isEmpty ? nil : ours)
        let other = try Self.quantity(right, theirs.isEmpty ? nil : theirs)
        #expect(one.compare(other) == expected)
        #expect(other.compare(one) == expected.map { -$0 })
    }

    @Test("a digest is written as 64 digits and as a URN, and read back")
    func digests() throws {
        let digest = try #require(AttachmentDigest(bytes: (0..<32).map { $0 * 8 }))
        #expect(digest.hexText == "0008101820283038404850586068707880889098a0a8b0b8c0c8d0d8e0e8f0f8")
        #expect(AttachmentDigest(hexText: digest.hexText) == digest)
        #expect(AttachmentDigest(hexText: digest.hexText.uppercased()) == digest)
        #expect(digest.urn == "urn:sha256:" + digest.hexText)
        #expect(AttachmentDigest(urn: digest.urn) == digest)
    }

    @Test("malformed digests are refused")
    func noDigests() throws {
        let text = String(repeating: "0", count: 64)
        for wrong in [
            String(text.dropLast()), text + "0", String(text.dropLast()) + "g", String(text.dropLast(2)) + "é",
        ] {
            #expect(AttachmentDigest(hexText: wrong) == nil)
        }
        for wrong in [text, "urn:md5:" + text, "URN:SHA256:" + text, "urn:sha256:" + text + " "] {
            #expect(AttachmentDigest(urn: wrong) == nil)
        }
        #expect(AttachmentDigest(bytes: [1, 2, 3]) == nil)
    }
}
