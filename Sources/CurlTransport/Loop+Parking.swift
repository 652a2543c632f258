/// Transfers that wait for a descriptor.
extension Loop {
    var mayPark: Bool { active.count > 1 }

    func hasRoomForLookup(from lowest: Int32) -> Bool {
        guard !descriptors.hasRoom(for: 64 * Descriptors.lookup, from: lowest) else { return true }
        // What those that are under way will still take.
        let others = active.values.count { $0.connection.isResolving }
        return descriptors.hasRoom(for: (others + 1) * Descriptors.lookup, from: lowest)
    }

    func park(_ transfer: CurlTransfer) {
        transfer.restart = .shortage
        withdraw(transfer)
        active[ObjectIdentifier(transfer)] = nil
        parked.append(transfer)
    }

    func launchParked() {
        while let next = parked.first {
            parked.removeFirst()
            launch(next)
            if isActive(next) { return }
        }
    }
}
