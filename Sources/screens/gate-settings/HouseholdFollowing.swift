import GateClient
import GateModel
import GateScreens
import GateWindows

extension GateClient {
    /// Tells the devices of the household, and again whenever there is something else to tell, until there is no household, or the task is
    /// cancelled.
    @GLibLoop
    func followDevices(_ tell: @GLibLoop (Result<HouseholdFacts, GateError>) -> Void) async {
        /// Nobody looks more often.
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

    /// Commands other devices: as an administrator, or after a person was asked, where the policy says so.
    ///
    /// - Parameter devices: `nil`: all but this one.
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
