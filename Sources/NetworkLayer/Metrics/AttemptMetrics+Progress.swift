/// Progress as TNL tells it (PRG-1): 0 … 1 in any case, 0 again with every attempt.
extension AttemptMetrics {
    /// 1 from the first response on, whatever was sent until then; 0 while the length isn't known.
    public var uploadFraction: Double {
        head != nil ? 1 : upload.expected == nil ? 0 : upload.fraction ?? 0
    }

    /// 0 while the length isn't known; 1 when the attempt was a success. A body with a content coding counts like any other, unlike
    /// TNL's: bytes are those on the wire.
    public var downloadFraction: Double {
        if disposition == .completing, error == nil { return 1 }
        return download.bytes == 0 ? 0 : download.fraction ?? 0
    }

    /// Bytes a second since the request began to go out; `nil` before, and in no time at all.
    public func uploadRate(at now: MonotonicTime) -> Double? {
        rate(of: upload.bytes, in: .send, phases.send, at: now)
    }

    /// Bytes a second since the head of the answer; `nil` before, and in no time at all.
    public func downloadRate(at now: MonotonicTime) -> Double? {
        rate(of: download.bytes, in: .receive, phases.receive, at: now)
    }

    private func rate(of bytes: Int64, in name: Phases.Name, _ phase: Phases.Interval?, at now: MonotonicTime) -> Double? {
        let duration: Duration
        if let phase {
            duration = phase.duration
        } else if let openPhase, openPhase.name == name {
            duration = now - openPhase.start
        } else {
            return nil
        }
        let seconds = Double(duration.wholeNanoseconds) / 1e9
        return seconds > 0 ? Double(bytes) / seconds : nil
    }
}
