import { render } from 'preact'
import { App } from './app/app.tsx'
import { startProductSession } from './app/product-session.ts'

const root = document.getElementById('app')
if (root === null) throw new TypeError('Expected an element with the id app.')
render(<App session={startProductSession()} />, root)
