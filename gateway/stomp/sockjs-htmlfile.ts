import type { ReceiverFormat } from './sockjs-receiver.ts'

/** Whether a callback's name can be written into a page. */
export function isCallbackName(text: string | null): text is string {
  return text !== null && /^[a-zA-Z0-9-_.]{1,64}$/.test(text)
}

/** `GET …/htmlfile?c=<callback>`: an endless page in which each frame is a script that calls the callback. */
export const htmlfileFormat = (callback: string, maxBytes: number): ReceiverFormat => ({
  kind: 'htmlfile',
  contentType: 'text/html; charset=UTF-8',
  prelude: page(callback).padEnd(1024, ' ').concat('\r\n\r\n'),
  format: frame => `<script>\np(${JSON.stringify(frame).replaceAll('<', '\\u003c')});\n</script>\r\n`,
  maxBytes,
})

function page(callback: string): string {
  return `<!doctype html>
<html><head>
  <meta http-equiv="X-UA-Compatible" content="IE=edge" />
  <meta http-equiv="Content-Type" content="text/html; charset=UTF-8" />
</head><body><h2>Don't panic!</h2>
  <script>
    document.domain = document.domain;
    var c = parent.${callback};
    c.start();
    function p(d) {c.message(d);};
    window.onload = function() {c.stop();};
  </script>
`
}
