import { list, text } from "@capstan/simulation";

export const tags = list(text({ min: 3, max: 50 }));
export const port = { type: "integer", min: 1, max: 65_535 } as const;
