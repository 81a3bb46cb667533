import { yamlText } from "@capstan/kit/bootstrap";
import { type TinkerbellPart, tinkerbellParts } from "@capstan/tinkerbell";
import { Argument, Command } from "commander";
import { append } from "../flags.ts";
import { accountsOf } from "./account-roles.ts";

interface RolesFlags {
  readonly namespace?: readonly string[];
  readonly systemNamespace: string;
}

/** `capstan-metal roles`: the accounts of the parts of `capstan-metal serve`, as manifests for kubectl. */
export const rolesCommand = (write: (text: string) => void): Command =>
  new Command("roles")
    .description("Print a ServiceAccount for each part of serve, with its roles and bindings.")
    .addArgument(new Argument("[parts...]", "parts to print (default: all)").choices(tinkerbellParts))
    .option("--namespace <name>", "only objects of this namespace; may be repeated (default: all)", append)
    .option("--system-namespace <name>", "namespace of the ServiceAccounts and Leases", "default")
    .action((given: readonly TinkerbellPart[], { namespace: namespaces = [], systemNamespace }: RolesFlags) => {
      const parts = given.length === 0 ? tinkerbellParts : given;
      const accounts = accountsOf({ parts, namespaces, systemNamespace });
      write(accounts.map((each) => yamlText(each, { sortKeys: false })).join("---\n"));
    });
