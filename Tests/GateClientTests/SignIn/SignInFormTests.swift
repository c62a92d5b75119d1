import GateClient
import Testing

private let busy = SignInState(session: nil, isAuthenticating: true, needsAuthentication: true)
private let needed = SignInState(session: nil, isAuthenticating: false, needsAuthentication: true)
private let anna = SignInState(
    session: SignInState.Session(name: "anna", isChild: false, deadline: BootTime(nanoseconds: 900)),
    isAuthenticating: false, needsAuthentication: false)
private let wrong = GateError(.unauthenticated, .wrongPassword, "Wrong name or password.")

extension SignInForm {
    fileprivate static var empty: SignInForm { SignInForm(languages: []) }
    fileprivate static var filled: SignInForm {
        var form = SignInForm(name: "anna", languages: [])
        form.passwordTyped(GateSecret("hunter2".utf8))
        return form
    }
    fileprivate static var submittedOnce: SignInForm {
        var form = filled
        _ = form.submitted()
        return form
    }
    fileprivate static var done: SignInForm {
        var form = submittedOnce
        form.accepted(anna)
        return form
    }
}

@Suite("The sign-in form")
struct SignInFormTests {
    @Test("the button is disabled while a field is empty (F-66)")
    func emptyFields() {
        var form = SignInForm.empty
        #expect(!form.canSubmit && form.submitted() == nil)
        form.name = "anna"
        #expect(!form.canSubmit && form.submitted() == nil)
        form.name = ""
        form.passwordTyped(GateSecret("hunter2".utf8))
        #expect(!form.canSubmit && form.submitted() == nil)
        #expect(SignInForm.filled.canSubmit)
    }

    @Test(
        "during a check the button reads \"Please wait\" and is disabled, and progress is shown (F-66, F-68)"
    )
    func authenticating() {
        var form = SignInForm.filled
        #expect(form.buttonTitle == "Sign in" && !form.isAuthenticating && form.isEditable)
        #expect(form.submitted() == SignInForm.submittedOnce.attempt(name: "anna", password: "hunter2"))
        #expect(form.buttonTitle == "Please wait" && form.isAuthenticating && !form.canSubmit && !form.isEditable)
        #expect(form.submitted() == nil, "submitted twice")
    }

    @Test("a check started elsewhere leaves the fields editable (F-66)")
    func elsewhere() {
        var form = SignInForm.filled
        form.stateChanged(busy)
        #expect(form.isEditable)
        form.stateChanged(needed)
        #expect(form.canSubmit && form.buttonTitle == "Sign in" && form.passwordByteCount == 7)
    }

    @Test("while others' passwords are checked the button of the form stays enabled (F-66)")
    func othersAreChecked() {
        var form = SignInForm.filled
        form.stateChanged(busy)
        #expect(form.canSubmit && form.buttonTitle == "Sign in" && !form.isAuthenticating)
        #expect(form.submitted()?.name == "anna")
        form.failed(wrong)
        form.stateChanged(busy)
        #expect(form.isEditable && form.refusal == wrong && form.buttonTitle == "Sign in")
    }

    @Test("after a wrong password the refusal is shown, the password is cleared, and the name stays (F-67)")
    func refused() {
        var form = SignInForm.submittedOnce
        form.failed(wrong)
        #expect(form.refusal == wrong && form.name == "anna" && form.passwordByteCount == 0)
        #expect(!form.canSubmit && form.isEditable && form.buttonTitle == "Sign in")
        form.passwordTyped(GateSecret("better".utf8))
        #expect(form.canSubmit && form.refusal == wrong)
        #expect(form.submitted()?.password == GateSecret("better".utf8))
        #expect(form.refusal == nil)
    }

    @Test("the form closes when somebody signs in anywhere, and is empty when it returns (F-49, F-62)")
    func comesAndGoes() {
        for var form in [SignInForm.filled, .submittedOnce] {
            form.stateChanged(anna)
            #expect(form.isSignedIn && !form.canSubmit && !form.isEditable && form.passwordByteCount == 0)
            form.stateChanged(needed)
            #expect(!form.isSignedIn && form.isEditable && form.passwordByteCount == 0)
        }
        #expect(SignInForm.done.isSignedIn)
    }

    @Test("late events change nothing")
    func late() {
        var editing = SignInForm.filled
        editing.failed(wrong)
        #expect(editing == .filled)
        var waiting = SignInForm.submittedOnce
        waiting.passwordTyped(GateSecret("other".utf8))
        #expect(waiting == .submittedOnce)
        var done = SignInForm.done
        done.failed(wrong)
        done.passwordTyped(GateSecret("other".utf8))
        #expect(done == .done && done.submitted() == nil)
        done.accepted(anna)
        #expect(done == .done)
    }

    @Test("no description of the form shows the password (F-67)")
    func descriptions() {
        var dumped = ""
        dump(SignInForm.filled, to: &dumped)
        var form = SignInForm.filled
        dump(form.submitted(), to: &dumped)
        for text in [dumped, "\(SignInForm.filled)", String(reflecting: SignInForm.filled)] {
            // 104 is its first byte. The address that a private type has in a description may have the digits, too.
            #expect(!text.contains("hunter2") && !text.contains(#/\b104\b/#))
        }
    }
}

extension SignInForm {
    /// The attempt that a form with these fields submits.
    fileprivate func attempt(name: String, password: String) -> Attempt? {
        var form = SignInForm(name: name, languages: [])
        form.passwordTyped(GateSecret(password.utf8))
        return form.submitted()
    }
}
