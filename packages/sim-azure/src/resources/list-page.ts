import { text } from "@capstan/simulation";

/** Most that one page of a list has. */
const mostOnPage = 1000;

/** Query parameters of requests for a page of a list. */
export const pageQuery = { $top: { type: "integer", min: 1 }, $skiptoken: text({ pattern: /^\d+$/ }) } as const;

interface PageRequest {
  readonly $top?: number;
  readonly $skiptoken?: string;
}

/** One page of a list, with the address of the next one. `address`: of the list, without a query; `query`: what else was asked for. */
export const pageOf = (
  all: readonly unknown[],
  { $skiptoken: token = "0", $top: top = mostOnPage }: PageRequest,
  address: string,
  query: Readonly<Record<string, string | undefined>>,
): { readonly value: readonly unknown[]; readonly nextLink?: string } => {
  const first = Number(token);
  const next = first + Math.min(top, mostOnPage);
  const value = all.slice(first, next);
  if (next >= all.length) return { value };
  const more = new URLSearchParams({ $top: String(top), $skiptoken: String(next) });
  for (const [name, entry] of Object.entries(query)) if (entry !== undefined) more.set(name, entry);
  return { value, nextLink: `${address}?${more.toString()}` };
};
