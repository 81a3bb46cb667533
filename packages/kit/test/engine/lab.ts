import { CapstanError } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import { defineProvider } from "@capstan/kit";
import { claimed, managedObject, observations, owned, ownedSecrets, referenced } from "@capstan/kit/engine";
import type { Handled, LifeContext, Using } from "@capstan/kit/engine";
import { boolean, conditions, kind, object, optional, string } from "@capstan/schema";

const facts = { group: "lab.example.dev", version: "v1" } as const;
const name = (description: string) => string({ description, maxLength: 64 });

/** Claimed by experiments. */
export const Bench = kind({
  ...facts,
  kind: "Bench",
  plural: "benches",
  description: "A place in a laboratory.",
  spec: object({ broken: optional(boolean({ description: "Nobody can work there." })) }),
});
export type Bench = typeof Bench.Type;

/** Owned by experiments. */
export const Task = kind({
  ...facts,
  kind: "Task",
  plural: "tasks",
  description: "Something to do at a bench.",
  spec: object({ command: name("What to do."), bench: name("Where.") }),
  status: object({ done: optional(boolean({ description: "It is done." })) }),
});
export type Task = typeof Task.Type;

/** Referred to by experiments. */
export const Account = kind({
  ...facts,
  kind: "Account",
  plural: "accounts",
  description: "Who pays.",
  spec: object({
    credit: boolean({ description: "There is money left." }),
    secret: name("Secret with a `token`."),
    secretNamespace: optional(name("Where that is, if elsewhere.")),
  }),
});
export type Account = typeof Account.Type;

/** What is under test: it needs an account, a bench and a task, and leaves a result. */
export const Experiment = kind({
  ...facts,
  kind: "Experiment",
  plural: "experiments",
  description: "An experiment.",
  spec: object({ command: name("What to do."), account: optional(name("Who pays.")) }),
  status: object({
    bench: optional(name("Where it is done.")),
    conditions: optional(conditions({ maxItems: 8 })),
  }),
});
export type Experiment = typeof Experiment.Type;

const uses = {
  account: referenced(
    Account,
    ({ spec }: Experiment) => (spec.account === undefined ? undefined : { name: spec.account }),
    { held: true },
  ),
  bench: claimed(Bench, { mayBeClaimed: ({ spec }) => spec.broken !== true }),
  task: owned(Task),
  results: ownedSecrets(),
};

/** What happens outside, for tests to look at. */
export interface LabLog {
  /** Tokens with which the outside world was opened, in order. */
  readonly opened: string[];
  /** Tasks that were asked for. */
  readonly asked: string[];
}

type Context = LifeContext<Experiment, string, Using<typeof uses>>;

const { absent, pending, present } = observations();

const noCredit = (account: Account): CapstanError =>
  new CapstanError({
    code: "lab.no_credit",
    reason: "NoCredit",
    message: `Account ${account.metadata.name} has no credit; top it up`,
    retry: { kind: "never" },
  });

const askFor = async ({ identity, object: { spec }, uses: { account, bench, task } }: Context, log: LabLog) => {
  const payer = account.get();
  if (payer?.spec.credit === false) throw noCredit(payer);
  log.asked.push(identity.name);
  await task.apply({
    metadata: { name: identity.name },
    spec: { command: spec.command, bench: bench.mine()?.metadata.name ?? "" },
  });
};

const claim = async ({ uses: { bench } }: Context): Promise<void> => {
  for (const candidate of bench.candidates()) {
    if ((await bench.claim(candidate, { metadata: { labels: { busy: "yes" } } })) !== undefined) return;
  }
};

const finish = async ({ identity, uses: { bench, task } }: Context & Handled): Promise<void> => {
  await task.delete(identity.name);
  await bench.release({ metadata: { labels: { busy: null } } });
};

/** Experiments, which have no cloud but the management API. */
export const createLabProvider = (log: LabLog): ProviderV1 =>
  defineProvider({
    name: "infra-lab",
    kinds: [Bench, Task, Account, Experiment],
    register: (host) =>
      host.add(
        managedObject({
          kind: Experiment,
          noun: "the experiment",
          finalizer: "lab.example.dev/experiment",
          uses,
          // Everything is made in the management API.
          making: [],
          connect: async ({ uses: { account }, credentialsOf }): Promise<string> => {
            const payer = account.get();
            if (payer === undefined) return "";
            const { secret, secretNamespace: namespace } = payer.spec;
            const credentials = await credentialsOf({ name: secret, ...(namespace !== undefined && { namespace }) });
            const token = credentials.required("token").reveal();
            log.opened.push(token);
            return token;
          },
          observe: async ({ api, identity, object: { metadata, spec }, uses: { bench, results, task } }) => {
            const place = bench.mine();
            const work = task.get(identity.name);
            if (metadata.deletionTimestamp !== undefined) {
              return place === undefined && work === undefined ? absent() : pending({ reason: "Finishing" });
            }
            if (place === undefined) {
              return bench.candidates().length === 0
                ? absent({ reason: "NoBench", message: "every bench is taken", pollMs: 3_600_000 })
                : absent({ step: "claim" });
            }
            const status = { bench: place.metadata.name };
            if (work === undefined) return absent();
            if (work.spec.command !== spec.command) return pending({ status, reason: "Changed", step: "ask" });
            if (work.status?.done !== true) return pending({ status, reason: "Working", pollMs: 3_600_000 });
            await results.write(`${identity.name}-result`, { by: api, command: spec.command });
            return present({ status });
          },
          create: (context) => askFor(context, log),
          steps: { claim, ask: (context) => askFor(context, log) },
          remove: finish,
        }),
      ),
  });
