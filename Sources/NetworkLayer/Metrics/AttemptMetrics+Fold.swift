extension AttemptMetrics {
    /// Takes in an event of this attempt while it runs.
    mutating func apply(_ kind: NetworkEvent.Kind, at time: MonotonicTime) {
        switch kind {
        case .cache(.hit):
            source = .cache
        case .cache(.validated):
            source = .validatedCache
        case .resolveStarted:
            open(.dns, at: time)
        case .resolveEnded:
            close(.dns, at: time)
        case .connectStarted:
            // One phase for all addresses that are tried (ENG-6).
            if openPhase?.name != .connect { open(.connect, at: time) }
        case .connectFailed(let address, let errno):
            failedAddresses.append(FailedAddress(address: address, errno: errno))
        case .connectEnded:
            close(.connect, at: time)
        case .tlsStarted:
            open(.tls, at: time)
        case .tlsEnded(let info):
            tls = info
            close(.tls, at: time)
        case .connectionAcquired(let info):
            connection = info
            open(.send, at: time)
        case .resent:
            resends += 1
            restartPhases(at: time)
        case .authenticationStep:
            restartPhases(at: time)
        case .requestHeadSent(let head):
            sentHead = head
        case .uploadProgress(let progress):
            upload = progress
        case .requestSent:
            if openPhase?.name == .send { open(.wait, at: time) }
        case .head(let head):
            self.head = head
            open(.receive, at: time)
        case .downloadProgress(let progress):
            download = progress
        case .redirect(let hop):
            redirect = hop
        case .challenge(let report):
            challenge = report
        default:
            break
        }
    }

    /// Ends the phase under way, if there is one, and begins `name`.
    private mutating func open(_ name: Phases.Name, at time: MonotonicTime) {
        closeOpenPhase(at: time)
        openPhase = OpenPhase(name: name, start: time)
    }

    private mutating func close(_ name: Phases.Name, at time: MonotonicTime) {
        if openPhase?.name == name { closeOpenPhase(at: time) }
    }

    /// Ends the phase under way: where an attempt is cut off, that is how far it came.
    mutating func closeOpenPhase(at time: MonotonicTime) {
        guard let open = openPhase else { return }
        phases[open.name] = Phases.Interval(start: open.start, end: max(time, open.start))
        openPhase = nil
    }

    /// After a silent re-send everything since the start was in vain: it becomes waiting for a connection (ENG-7).
    private mutating func restartPhases(at time: MonotonicTime) {
        phases = Phases()
        connection = nil
        tls = nil
        openPhase = OpenPhase(name: .queue, start: start)
    }
}
