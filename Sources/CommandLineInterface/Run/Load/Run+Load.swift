import Base
import CollectionRunner
import NetworkLayer
import Presentation
import RequestCollections

extension Run {
    /// What many requests at once can be to somebody else's server is not begun by a slip: a person is asked, and a script says `--yes`.
    ///
    /// - Throws: a ``CommandFailure`` when nobody says so.
    func admitLoad(_ plan: RunPlan, in context: CommandLineContext) async throws {
        guard let load = load.plan(atOnce: jobs), !self.load.yes else { return }
        let excesses = load.excesses(requests: plan.round.count)
        guard !excesses.isEmpty else { return }
        let hosts = strangeHosts(of: plan, in: context)
        guard !hosts.isEmpty else { return }
        let names = hosts.prefix(3).joined(separator: ", ") + (hosts.count > 3 ? " and \(hosts.count - 3) more" : "")
        let what = "This is a load on \(names): \(excesses.joined(separator: ", "))."
        guard let prompter = trust.prompter(context) else {
            throw CommandFailure(
                status: .usage,
                message: "\(what) With --yes it is sent; up to 1,000 requests, 16 at once, 20/s and 60 s need no word.")
        }
        let interruption = context.onInterrupt { prompter.interrupt() }
        defer { withExtendedLifetime(interruption) {} }
        let answer = try? await prompter.ask(PromptRequirement(message: "\(what) Send it? y or n", isSecret: false))
        guard let answer, ["y", "yes"].contains(answer.lowercased()) else {
            throw CommandFailure(status: .cancelled, message: "Nothing was sent.")
        }
    }

    /// Without this machine's own, and what mocks answer. Where a host can't be known before, the request's name stands for it.
    private func strangeHosts(of plan: RunPlan, in context: CommandLineContext) -> [String] {
        let environment = context.environment.merging(context.givenEnvironment) { first, _ in first }
        var hosts: [String] = []
        for node in plan.round where !(mocks && node.job.definition.mock != nil) {
            let url = LoadHost.url(
                of: node.job.definition, in: node.job.collection, environment: node.job.environment,
                variables: node.job.variables, processEnvironment: environment)
            let host = url?.host() ?? "the host of \(node.job.definition.id)"
            if !LoadHost.isLoopback(host), !hosts.contains(host) { hosts.append(host) }
        }
        return hosts.map(SafeText.line)
    }
}
