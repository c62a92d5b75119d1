import CommandSupport
import GateModel

@testable import GateCore

/// A child with programs of its own, which gives every command that anybody may, over and over (T-04).
struct ChildAtItsWorst {
    /// Programs of the same user, so that no command waits for another one of its own.
    let programs = (0..<3).map { Peer(connection: 40 + $0, uid: Peer.ben.uid, pid: 140, roles: .app) }
    /// The account whose password the child knows.
    let account: String

    /// Every command once from each program. Refused commands are ignored.
    func round(on device: inout Device, nextPresentation: UInt64) -> [Command] {
        let cookie = PresentationCookie(bytes: [UInt8](repeating: 7, count: 24))
        let form = FormTarget(name: "consent")
        return [
            .lock, .toggle(presenting: .here), .toggle(presenting: .elsewhere), .cancel,
            .extend(nil, presenting: .here), .extend(.seconds(1), presenting: .elsewhere),
            .override(.child, nil, reason: "x"), .recover,
        ]
            + ["link.open", "purchase", "share", "photos.delete", "premium.filters", "by.age", "settings"].flatMap {
                gate in
                [true, false].map {
                    .authorize(
                        AuthorizationRequest(gatedAction: gate, details: ""), presenting: $0 ? .here : .elsewhere)
                }
            } + [
                .redeem(Grant.Proof(bytes: [1]), gatedAction: "link.open", details: ""),
                .revoke(uid: nil, gatedAction: nil), .clearLockouts(uid: nil, gate: nil), .setPasscode(hash: "x"),
                .removeSecret(.passcode), .logOut, .logIn(name: account, password: Device.password),
                .logIn(name: "anna", password: GateSecret([1])),
                .changePassword(name: account, old: Device.password, newHash: "$\(account)"),
                .changePassword(name: "anna", old: GateSecret([1]), newHash: "$x"),
                .register(GatePerson(name: "mine", kind: .grownUp), passwordHash: "$mine"),
                .setPassword(name: "anna", hash: "$x"), .removePerson(name: "anna"),
                .addClaim(entitlement: "premium", .device, until: nil),
                .reportProvider(.manual, isReachable: false, detail: ""),
                .requestPaywall(PaywallRequest(), presenting: .here),
                .requestPaywall(PaywallRequest(), presenting: .elsewhere), .openForm(form),
                .editForm(form, at: nil, .reset), .saveForm(form), .completeForm(form, at: nil), .discardForm(form),
                .requestForm(name: "consent"), .withdrawResponse(1),
                .showWhatsNew(app: "app", AppVersion(1, 0, 0), presenting: .elsewhere), .resetWhatsNew(app: nil),
                .register(.everything), .claim(presentation: nextPresentation),
                .claim(presentation: max(nextPresentation, 1) - 1), .unregister, .report(cookie, .shown),
                .complete(cookie, .text("1")), .dismiss(cookie), .awaitClosing(cookie),
                .withdraw(presentation: max(nextPresentation, 1) - 1), .logOut, .lock,
            ]
    }

    /// Gives all commands from all programs, dismisses or answers the child's own questions at random, and checks its
    /// passwords as they are.
    func doesItsWorst(to device: inout Device) {
        for program in programs {
            for command in round(on: &device, nextPresentation: device.stored.nextPresentation) {
                let before = Set(device.passwordChecks.keys)
                let reply = try? device.apply(command, as: program).reply
                if case .presentation(let own)? = reply {
                    _ = try? device.apply(.complete(own.cookie, .text("0")), as: program)
                }
                for check in Set(device.passwordChecks.keys).subtracting(before) {
                    let isRight = device.passwordChecks[check]?.password == Device.password
                    _ = try? device.apply(.passwordChecked(check, isRight ? .right : .wrong), as: .daemon)
                }
            }
            _ = try? device.apply(.peerDisconnected, as: program)
        }
    }
}
