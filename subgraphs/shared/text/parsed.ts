/** What came of reading a text: its value in normal form, or what is wrong with it, to follow the name of a field. */
export type Parsed =
  | { readonly value: string; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: string }
