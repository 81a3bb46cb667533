import type { ServiceRequest } from "../http/service.ts";
import { unescapedIfPossible } from "../text/lenient-text.ts";
import { blobRefusal } from "./blob-refusal.ts";

/** Target of a request; names are unescaped, and empty where there are none. */
export interface BlobTarget {
  readonly account: string;
  readonly container: string;
  readonly blob: string;
}

/** `/<account>/<container>/<blob>`, the form of emulators and of Azure Stack behind an address. */
export const targetOf = ({ path }: Pick<ServiceRequest, "path">): BlobTarget => {
  const [, account = "", container = "", ...blob] = path.split("/");
  return {
    account: unescapedIfPossible(account),
    container: unescapedIfPossible(container),
    blob: blob.map((part) => unescapedIfPossible(part)).join("/"),
  };
};

/** The parameters of a query, unescaped; a name given twice is refused. */
export const parametersOf = ({ query }: Pick<ServiceRequest, "query">): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  for (const pair of query.split("&").filter((text) => text !== "")) {
    const [name = "", ...value] = pair.split("=");
    const key = unescapedIfPossible(name);
    if (found.has(key)) {
      throw blobRefusal(400, "InvalidQueryParameterValue", `The parameter ${key} is given twice`, { violation: true });
    }
    found.set(key, unescapedIfPossible(value.join("=")));
  }
  return found;
};
