import { networkOf } from "@capstan/kube-values";
import { InvalidArgumentError, Option } from "commander";

export interface AddressFlags {
  readonly allowAddress?: readonly string[];
}

const network = (value: string, before: readonly string[] = []): readonly string[] => {
  if (networkOf(value) !== undefined) return [...before, value];
  throw new InvalidArgumentError("must be an address or a network such as 127.0.0.1 or 169.254.0.0/16.");
};

/** `up` runs for whoever starts it, and simulated clouds are on this computer. */
export const loopback: readonly string[] = ["127.0.0.0/8", "::1"];

/** `usual`: what is allowed without it. */
export const allowAddressOption = (usual: string): Option =>
  new Option(
    "--allow-address <network>",
    `loopback, link-local or metadata address or network that objects and Secrets may point requests at; may be repeated (default: ${usual})`,
  ).argParser(network);

/** The same as words of a command line. */
export const allowAddressWords = (allowed: readonly string[]): readonly string[] =>
  allowed.map((each) => `--allow-address=${each}`);
