import GateClient
import GateModel
import GateScreens
import GateWindows

extension GateClient {
    /// Reports the devices of the household, and again after each change. Returns when there is no household, when the
    /// daemon knows no households, or when the task is cancelled.
    @GLibLoop
    func followDevices(_ tell: @GLibLoop (Result<HouseholdFacts, GateError>) -> Void) async {
        // A person can't follow faster changes.
        let pace = Duration.milliseconds(100)
        var retry = RetryPause()
        var known: UInt64?
        while !Task.isCancelled {
            let start = BootTime.now()
            do throws(GateError) {
                let devices = try await household.devices(after: known)
                guard !Task.isCancelled else { return }
                known = devices.change
                tell(.success(.devices(devices)))
                try? await GLibLoop.sleep(for: pace)
            } catch {
                guard !Task.isCancelled else { return }
                known = nil
                if error.reason == .notSetUp { return tell(.success(.none)) }
                tell(.failure(error))
                guard error.code != .unimplemented else { return }
                try? await GLibLoop.sleep(for: retry.next(afterLasting: start.duration(to: .now())))
            }
        }
    }

    /// Sends a command to other devices: as an administrator, or, if the policy says so, after a person was asked.
    ///
    /// - Parameter devices: `nil`: all devices but this one. Then nobody is asked.
    func send(_ order: GuardianOrder, to devices: [HouseholdMember]?) async throws(GateError) -> SentCommand {
        let ids = devices?.map(\.id)
        do throws(GateError) {
            return try await household.send(order, to: ids)
        } catch {
            guard error.parameters["what"] == "household-grant", let devices else { throw error }
            let grant = try await authorization.grant(
                AuthorizationRequest(
                    gatedAction: "household.open", details: order.grantDetails(for: devices.map(\.name))))
            return try await household.send(order, to: ids, grant: grant.proof)
        }
    }
}
