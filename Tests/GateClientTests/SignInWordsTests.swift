import Foundation
import GateModel
import Testing

@testable import GateClient

@Suite("The words of the form for signing in")
struct SignInWordsTests {
    private static let wrong = GateError(.unauthenticated, .wrongPassword, "Wrong name or password.")

    /// A form whose first attempt was refused.
    private static func refused(_ error: GateError, for languages: [String]) -> SignInForm {
        var form = SignInForm(name: "anna", languages: languages)
        form.passwordTyped(GateSecret("hunter2".utf8))
        _ = form.submitted()
        form.failed(error)
        return form
    }

    @Test("the texts of the form are in the person's language, and in English if Gate has none of theirs (K-17)")
    func languages() {
        var german = Self.refused(Self.wrong, for: ["de-CH", "en"])
        #expect(german.buttonTitle == "Anmelden" && german.refusalText == "Name oder Passwort ist falsch.")
        german.passwordTyped(GateSecret("better".utf8))
        _ = german.submitted()
        #expect(german.buttonTitle == "Bitte warten" && german.refusalText == nil)
        #expect(SignInForm(languages: ["zh-CN"]).buttonTitle == "登录")
        #expect(SignInForm(languages: ["fr", "ru"]).buttonTitle == "Войти")
        for english in [["en-GB", "de"], ["fr"], []] {
            let form = Self.refused(Self.wrong, for: english)
            #expect(form.buttonTitle == "Sign in" && form.refusalText == Self.wrong.message)
        }
    }

    @Test("a refusal names who is signed in; one that Gate has no sentence for is told in the daemon's (K-17)")
    func refusals() {
        let signedIn = GateError(
            .failedPrecondition, .signedIn, "ben is signed in.", parameters: ["account": "ben"])
        #expect(
            Self.refused(signedIn, for: ["de"]).refusalText == "ben ist schon angemeldet. Bitte zuerst abmelden.")
        let lockedOut = GateError(.resourceExhausted, .lockedOut, "Wait.", parameters: ["at": "sign-in"])
        #expect(Self.refused(lockedOut, for: ["de"]).refusalText == "Es gab zu viele Anmeldeversuche.")
        let stopping = GateError(.unavailable, .stopping, "The daemon is stopping.")
        let form = Self.refused(stopping, for: ["de"])
        #expect(form.refusalText == "The daemon is stopping." && form.refusal == stopping)
        #expect(SignInForm(languages: ["de"]).refusalText == nil)
    }

    @Test("without languages of its own the form takes those of the environment")
    func environment() {
        let environment = ReaderLanguages.list { ProcessInfo.processInfo.environment[$0] }
        #expect(SignInForm() == SignInForm(languages: environment))
    }

    @Test("they are the texts of Gate's catalogues", arguments: ["de": "de", "ru": "ru", "zh_CN": "zh-Hans"])
    func catalogues(file: String, language: String) throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let path = root.appendingPathComponent("Sources/clients/po/\(file).po")
        let catalogue = try String(contentsOf: path, encoding: .utf8)
        for text in [SignInWords.logIn, SignInWords.pleaseWait] + SignInWords.refusals.values {
            let entry = "\nmsgid \"\(text.text)\"\nmsgstr \"\(text.text(for: [language]))\"\n"
            #expect(catalogue.contains(entry), "\(file).po does not translate it like that: \(text.text)")
        }
    }
}
