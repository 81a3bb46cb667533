import { isCapstanError, type Clock, type Logger } from "@capstan/contract";
import { type Client, type Connection, createClient } from "@capstan/kube";
import { userOf } from "./account-roles.ts";
import { AccountConnection } from "./account-connection.ts";
import { setUpAccounts } from "./account-setup.ts";
import type { WorkloadAccount } from "./workload-account.ts";

/** Number of attempts to set up accounts before requests use the rights of the kubeconfig: a new cluster may not be ready. */
const maxTries = 3;
/** The least time between two repairs: some requests are refused for good. */
const repairIntervalMs = 60_000;
/** When a cluster that permitted no accounts is asked again: it may have been busy with its start, or give more rights by now. */
const plainIntervalMs = 600_000;
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
  #isPlain = false;

  constructor(options: AccountAccessOptions) {
    this.#options = options;
  }

  /** Something is to be looked after before the next requests. */
  get isDue(): boolean {
    const isWanted = this.#isRefused || this.#isPlain;
    return this.#hasChanged || (isWanted && this.#options.clock.now() >= this.#repairAfter);
  }

  changed(): void {
    this.#hasChanged = true;
  }

  /**
   * Sets the accounts up. Where the cluster permits none, every account is the kubeconfig's own user. Throws what the server answers
   * when it may answer otherwise next time, and what shows that the kubeconfig itself is not taken.
   */
  async open(connection: Connection, signal: AbortSignal): Promise<AccountConnections> {
    // What is refused, and who comes, from here on is for the next time.
    this.#isRefused = false;
    this.#hasChanged = false;
    const accounts = [nodesAccount, ...this.#options.accounts()];
    const made = new Map(accounts.map((account) => [account.name, this.#connectionAs(connection, account)]));
    const clientAs = ({ name }: WorkloadAccount): Client => createClient(made.get(name) ?? connection);
    try {
      await setUpAccounts({ accounts, client: createClient(connection), clientAs, call: { signal, timeoutMs } });
    } catch (error) {
      this.#failed(error, signal);
      this.#settle(true);
      return { isPlain: true, accounts: new Map(accounts.map(({ name }) => [name, connection])) };
    }
    this.#failures = 0;
    this.#isToldOf = false;
    this.#settle(false);
    return { isPlain: false, accounts: made };
  }

  #connectionAs(connection: Connection, account: WorkloadAccount): Connection {
    return new AccountConnection(connection, userOf(account), () => {
      this.#isRefused = true;
    });
  }

  #settle(isPlain: boolean): void {
    this.#isPlain = isPlain;
    this.#repairAfter = this.#options.clock.now() + (isPlain ? plainIntervalMs : repairIntervalMs);
  }

  /** Throws the error when it is no reason to do without accounts. */
  #failed(error: unknown, signal: AbortSignal): void {
    const isOther = signal.aborted || !isCapstanError(error) || isCapstanError(error, "kube.unauthorized");
    if (!isOther) this.#failures += 1;
    if (isOther || (!isCapstanError(error, "kube.forbidden") && this.#failures < maxTries)) {
      this.#hasChanged = true;
      throw error;
    }
    if (this.#isToldOf) return;
    this.#isToldOf = true;
    this.#options.onPlainAccess();
    this.#options.log.debug("requests to the workload cluster use the rights of its kubeconfig", { error });
  }
}
