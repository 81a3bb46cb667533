import { isCapstanError, type Clock, type Logger } from "@capstan/contract";
import { type Client, type Connection, createClient } from "@capstan/kube";
import { userOf } from "./account-roles.ts";
import { AccountConnection } from "./account-connection.ts";
import { setUpAccounts } from "./account-setup.ts";
import type { WorkloadAccount } from "./workload-account.ts";

/** How often setting up is tried before requests are made with the rights of the kubeconfig: a cluster that begins is not at its best. */
const maxTries = 3;
/** The least time between two repairs: some requests are refused for good. */
const repairIntervalMs = 60_000;
const timeoutMs = 5000;

/** As whom the kit itself follows Nodes. */
export const nodesAccount: WorkloadAccount = {
  name: "nodes",
  permissions: [{ group: "", resource: "nodes", verbs: ["list", "watch"] }],
};

export interface AccountAccessOptions {
  readonly clock: Clock;
  readonly log: Logger;
  /** Those of the process, by now. */
  readonly accounts: () => readonly WorkloadAccount[];
  /** Called whenever a connection is found to permit no accounts. */
  readonly onPlainAccess: () => void;
}

/** By what each account works. */
export interface AccountConnections {
  /** All of them are the kubeconfig's own user. */
  readonly isPlain: boolean;
  /** Every account that may be worked as, by name. */
  readonly accounts: ReadonlyMap<string, Connection>;
}

/** The accounts in one workload cluster: set up when it is connected, and again when one of them is refused something. */
export class AccountAccess {
  readonly #options: AccountAccessOptions;
  #failures = 0;
  #isToldOf = false;
  /** When they may be looked after again, in milliseconds since the epoch. */
  #repairAfter = 0;
  #isRefused = false;
  #hasChanged = false;

  constructor(options: AccountAccessOptions) {
    this.#options = options;
  }

  /** Something is to be looked after before the next requests. */
  get isDue(): boolean {
    return this.#hasChanged || (this.#isRefused && this.#options.clock.now() >= this.#repairAfter);
  }

  changed(): void {
    this.#hasChanged = true;
  }

  /**
   * Sets the accounts up. Where the cluster permits none, every account is the kubeconfig's own user. Throws what the server answers
   * when it may answer otherwise next time, and what shows that the kubeconfig itself is not taken.
   */
  async open(connection: Connection, signal: AbortSignal): Promise<AccountConnections> {
    const accounts = [nodesAccount, ...this.#options.accounts()];
    this.#repairAfter = this.#options.clock.now() + repairIntervalMs;
    const made = new Map(accounts.map((account) => [account.name, this.#connectionAs(connection, account)]));
    const clientAs = ({ name }: WorkloadAccount): Client => createClient(made.get(name) ?? connection);
    try {
      await setUpAccounts({ accounts, client: createClient(connection), clientAs, call: { signal, timeoutMs } });
    } catch (error) {
      this.#failed(error, signal);
      return { isPlain: true, accounts: new Map(accounts.map(({ name }) => [name, connection])) };
    }
    this.#failures = 0;
    this.#isToldOf = false;
    this.#settle();
    return { isPlain: false, accounts: made };
  }

  #connectionAs(connection: Connection, account: WorkloadAccount): Connection {
    return new AccountConnection(connection, userOf(account), () => {
      this.#isRefused = true;
    });
  }

  #settle(): void {
    this.#isRefused = false;
    this.#hasChanged = false;
  }

  /** Throws the error when it is no reason to do without accounts. */
  #failed(error: unknown, signal: AbortSignal): void {
    if (signal.aborted || !isCapstanError(error) || isCapstanError(error, "kube.unauthorized")) throw error;
    this.#failures += 1;
    if (!isCapstanError(error, "kube.forbidden") && this.#failures < maxTries) throw error;
    this.#settle();
    if (this.#isToldOf) return;
    this.#isToldOf = true;
    this.#options.onPlainAccess();
    this.#options.log.debug("requests to the workload cluster have the rights of its kubeconfig", { error });
  }
}
