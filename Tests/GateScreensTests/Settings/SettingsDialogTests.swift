import GateModel
import GateScreens
import GateTexts
import Testing

@Suite("Dialogs of the settings window")
struct SettingsDialogTests {
    private static let german = WritingHabits(dateFormat: "%d.%m.%Y", decimalSeparator: ",")

    private static func secret(_ text: String) -> GateSecret { GateSecret(Array(text.utf8)) }

    private static func filled(
        _ texts: [SettingsDialog.Key: String], _ secrets: [SettingsDialog.Key: String]
    ) -> SettingsDialog.Filled { SettingsDialog.Filled(texts: texts, secrets: secrets.mapValues { secret($0) }) }

    private static func mistake(_ dialog: SettingsDialog, _ filled: SettingsDialog.Filled) -> String? {
        do throws(SettingsDialog.Mistake) {
            _ = try dialog.request(filled, habits: german)
            return nil
        } catch {
            return error.text
        }
    }

    @Test("a date of birth, written as the person writes dates, makes a child's account")
    func register() throws {
        let twice: [SettingsDialog.Key: String] = [.newPassword: "secret", .again: "secret"]
        let child = try SettingsDialog.register.request(
            Self.filled([.name: "anna", .birth: "2.3.2015"], twice), habits: Self.german)
        let born = try #require(CivilDate(year: 2015, month: 3, day: 2))
        #expect(
            child
                == .register(GatePerson(name: "anna", kind: .child(born: born)), password: Self.secret("secret")))
        let grownUp = try SettingsDialog.register.request(
            Self.filled([.name: "mum", .birth: ""], twice), habits: Self.german)
        #expect(grownUp == .register(GatePerson(name: "mum", kind: .grownUp), password: Self.secret("secret")))
        #expect(
            Self.mistake(.register, Self.filled([.name: "anna", .birth: "31.2.2015"], twice))
                == "Write the date like 02.03.2015.")
        #expect(Self.mistake(.register, Self.filled([.birth: ""], twice)) == "The name is missing.")
    }

    @Test("a person is put on the list, or changed, with role, date of birth and Unix user as they are filled in")
    func person() throws {
        let mia = GatePerson(
            name: "mia", kind: .child(born: CivilDate("2015-03-02")), user: .init(name: "mia", uid: 1001))
        let added = try SettingsDialog.person(nil).request(
            Self.filled([.name: "mia", .role: "child", .birth: "2.3.2015", .user: "mia"], [:]), habits: Self.german)
        var unnumbered = mia
        unnumbered.user?.uid = 0
        #expect(added == .setPerson(unnumbered))
        // What stands in the fields at first is the person as they are.
        for person in [
            unnumbered, GatePerson(name: "mum", kind: .grownUp), GatePerson(name: "otto", kind: .child(born: nil)),
            GatePerson(name: "tv", kind: .shared, user: .init(name: "tv", uid: 0)),
        ] {
            let dialog = SettingsDialog.person(person)
            let initial = dialog.initial(Self.german)
            #expect(try dialog.request(Self.filled(initial, [:]), habits: Self.german) == .setPerson(person))
        }
        #expect(
            Self.mistake(.person(nil), Self.filled([.name: "mum", .role: "grown-up", .birth: "2.3.1980"], [:]))
                == "A date of birth is only for children.")
        #expect(Self.mistake(.person(nil), Self.filled([.role: "child"], [:])) == "The name is missing.")
    }

    @Test("changing somebody who is not confirmed warns that their password goes")
    func doubtfulPassword() {
        func warns(_ person: GatePerson?) -> Bool {
            SettingsDialog.person(person).text.contains(
                "The password is removed, because anybody could have chosen it.")
        }
        #expect(warns(GatePerson(name: "mia", kind: .child(born: nil), hasPassword: true, isConfirmed: false)))
        #expect(!warns(GatePerson(name: "mia", kind: .child(born: nil), isConfirmed: false)))
        #expect(!warns(GatePerson(name: "mia", kind: .child(born: nil), hasPassword: true)))
        #expect(!warns(nil))
    }

    @Test(
        "a new secret that is empty, or differs when typed again, is refused",
        arguments: [
            (SettingsDialog.passcode, [:], "That was empty."),
            (.passcode, [.newPassword: "123456", .again: "123457"], "They don't match. Try again."),
            (.resetPassword("anna"), [.newPassword: "a", .again: "b"], "They don't match. Try again."),
            (.changePassword, [.newPassword: "a", .again: "a"], "That was empty."),
            (.logIn, [:], "That was empty."),
        ] as [(SettingsDialog, [SettingsDialog.Key: String], String)])
    func secrets(dialog: SettingsDialog, typed: [SettingsDialog.Key: String], mistake: String) {
        #expect(Self.mistake(dialog, Self.filled([.name: "anna"], typed)) == mistake)
    }

    @Test("each filled-in dialog becomes its request to the daemon")
    func requests() throws {
        let secrets: [SettingsDialog.Key: String] = [.password: "old", .newPassword: "new", .again: "new"]
        let (old, new) = (Self.secret("old"), Self.secret("new"))
        let account = GatePerson(name: "anna", kind: .grownUp, isConfirmed: false)
        let gift = SettingsDialog.grant([SettingsDialog.Choice("premium", title: "Premium")])
        let end = WallTime(unixMilliseconds: 86_400_000)
        let all: [(SettingsDialog, [SettingsDialog.Key: String], SettingsDialog.Request)] = [
            (.logIn, [.name: "anna"], .logIn(name: "anna", password: old)),
            (.changePassword, [.name: "anna"], .changePassword(name: "anna", old: old, new: new)),
            (.resetPassword("bert"), [:], .changePassword(name: "bert", old: nil, new: new)),
            (.confirmPerson(account), [:], .confirm(account, newPassword: new)),
            (.passcode, [:], .setPasscode(new)),
            (
                gift, [.entitlement: "premium", .holder: "anna", .end: "1.1.1970"],
                .addClaim(entitlement: "premium", holder: .account("anna"), end: end)
            ),
            (gift, [.entitlement: "premium"], .addClaim(entitlement: "premium", holder: .device, end: nil)),
        ]
        for (dialog, texts, expected) in all {
            let request = try dialog.request(Self.filled(texts, secrets), habits: Self.german)
            #expect(request == expected)
        }
    }
}
