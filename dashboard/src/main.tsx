import { render } from 'preact'
import { App } from './app/app.tsx'

const root = document.getElementById('app')
if (root === null) throw new TypeError('Expected an element with the id app.')
render(<App />, root)
