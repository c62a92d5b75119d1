import GateCore
import GateModel

extension RecordTables {
    /// The choices about which apps are told people's age ranges.
    static let ageChoices = EntryTable<AgeBook.Key, (key: AgeBook.Key, value: AgeBook.Choice)>(
        table: Table(
            "age_choice", step: 24, keyCount: 2,
            blank: (key: AgeBook.Key(person: "", app: ""), value: AgeBook.Choice.waiting),
            constraints: ["CHECK ((half_year IS NOT NULL) = (choice IN ('for-now', 'not-now')))"],
            Column("person", .line(1...GatePerson.maximumNameByteCount), \.key.person),
            // The name that the program gives itself.
            Column("app", .line(1...64), \.key.app),
            Column(
                \.value, blank: (choice: AgeChoice.ask, halfYear: Int?.none),
                Column("choice", .word(AgeChoice.self, "a choice about an age range"), \.choice),
                // The half of a year in which the choice ends: twice the year, plus one for the second half.
                Column("half_year", .optional(.count), \.halfYear),
                part: { ($0.shown, $0.halfYear?.number) },
                value: { stored in
                    switch (stored?.choice, stored?.halfYear.map(HalfYear.init(number:))) {
                    case (.ask, nil): .waiting
                    case (.always, nil): .always
                    case (.never, nil): .never
                    case (.forNow, let half?): .forNow(half)
                    case (.notNow, let half?): .notNow(half)
                    case _: throw StoreError.damaged("a choice about an age range that contradicts itself")
                    }
                })),
        key: \.key, maximumCount: 100_000, hasSpellings: true,
        entries: { $0.ages.entries },
        add: { records, row in
            guard records.ages[row.key] == nil else { return false }
            records.ages[row.key] = row.value
            return true
        })
}

extension Format<AgeSettings> {
    /// Whether age ranges are on, and the gates: "on 13 16 18".
    static let ageSettings = Format(
        .text, "settings of age ranges",
        value: { text in
            let words = text.split(separator: " ")
            let gates = words.dropFirst().compactMap { Int($0) }
            guard ["on", "off"].contains(words.first), gates.count == words.count - 1, AgeSettings.areGates(gates)
            else { return nil }
            return AgeSettings(isOn: words.first == "on", gates: gates)
        },
        base: { settings in
            guard AgeSettings.areGates(settings.gates) else { return nil }
            return ([settings.isOn ? "on" : "off"] + settings.gates.map(String.init)).joined(separator: " ")
        })
}
